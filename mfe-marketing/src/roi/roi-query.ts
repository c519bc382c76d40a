import { checkTexts, type RoiTexts } from './check-values.ts';
import { initialRoiValues, roiField, roiFieldKeys, type RoiValues } from './roi-fields.ts';

export type RoiPeriod = 'month' | 'year';

export interface RoiState {
  values: RoiValues;
  period: RoiPeriod;
  /** Messages about invalid values in the URL. The example figure replaces each of them. */
  problems: string[];
}

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

/** The query for this state. Keeps unrelated parameters of `query` and omits values that equal the example. */
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

export function roiTexts(values: RoiValues): RoiTexts {
  return Object.fromEntries(roiFieldKeys.map((key) => [key, String(values[key])])) as RoiTexts;
}

/** A URL may contain a text of any length. */
const shorten = (text: string) => (text.length > 20 ? `${text.slice(0, 20)}…` : text);
