import { checkTexts, type RoiTexts } from './check-values.ts';
import { initialRoiValues, roiField, roiFieldKeys, type RoiValues } from './roi-fields.ts';

export type RoiPeriod = 'month' | 'year';

export interface RoiState {
  values: RoiValues;
  period: RoiPeriod;
  /** What the address holds and the calculator cannot use, in words. The example figure stands in for it. */
  problems: string[];
}

/** Reads the calculator's state from the query of the address. Never throws: anyone can edit an address. */
export function readRoiQuery(query: URLSearchParams): RoiState {
  const texts = roiTexts(initialRoiValues);
  for (const key of roiFieldKeys) texts[key] = query.get(roiField[key].name) ?? texts[key];

  const { values, errors } = checkTexts(texts, initialRoiValues);
  const problems = roiFieldKeys
    .filter((key) => errors[key])
    .map((key) => `${roiField[key].label}: “${shorten(texts[key])}” does not work. ${errors[key]}`);

  const period = query.get('period') ?? 'month';
  if (period !== 'month' && period !== 'year') {
    problems.push(`Period: “${shorten(period)}” does not work. Use month or year.`);
  }
  return { values, period: period === 'year' ? 'year' : 'month', problems };
}

/** The query for this state: everything else in `query` stays, what equals the example is left out. */
export function writeRoiQuery(query: URLSearchParams, values: RoiValues, period: RoiPeriod): URLSearchParams {
  const next = new URLSearchParams(query);
  const put = (name: string, value: string, initial: string) =>
    value === initial ? next.delete(name) : next.set(name, value);
  const initial = roiTexts(initialRoiValues);
  const texts = roiTexts(values);
  for (const key of roiFieldKeys) put(roiField[key].name, texts[key], initial[key]);
  put('period', period, 'month');
  return next;
}

/** The numbers as they stand in the fields and in the address. */
export function roiTexts(values: RoiValues): RoiTexts {
  return Object.fromEntries(roiFieldKeys.map((key) => [key, String(values[key])])) as RoiTexts;
}

/** An address may hold a whole novel. */
const shorten = (text: string) => (text.length > 20 ? `${text.slice(0, 20)}…` : text);
