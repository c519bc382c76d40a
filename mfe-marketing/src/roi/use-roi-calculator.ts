import { useEffect, useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react';
import { useSearchParams } from '@site/kit';
import { usePageQuery } from '@site/ui/page-query';
import { checkTexts, type RoiErrors, type RoiTexts } from './check-values.ts';
import { initialRoiValues, roiField, roiFieldKeys, type RoiFieldKey, type RoiValues } from './roi-fields.ts';
import { readRoiQuery, roiTexts, writeRoiQuery, type RoiPeriod, type RoiState } from './roi-query.ts';

/** What the visitor is changing, until it stands in the address. */
interface Draft {
  texts: RoiTexts;
  period: RoiPeriod;
  /** The queries it belongs to: the one that it began with and the one that it was written to. */
  from: string;
  to: string;
}

export interface RoiCalculator {
  texts: RoiTexts;
  errors: RoiErrors;
  values: RoiValues;
  period: RoiPeriod;
  /** The state that the address holds: the same, a moment later. */
  settled: RoiState;
  /** The address of what is shown now, without origin. */
  address: string;
  changed: boolean;
  change(key: RoiFieldKey, text: string): void;
  showPeriod(period: RoiPeriod): void;
  reset(): void;
}

/** Browsers refuse more than about 100 changes of the address in 30 seconds, and a slider makes that many in one. */
const SETTLE_MS = 350;

/**
 * The calculator's state. It lives in the address; what is being typed stands in front of it until it settles.
 *
 * @param panel the element around all fields.
 */
export function useRoiCalculator(panel: RefObject<HTMLElement | null>): RoiCalculator {
  const [query, replaceQuery] = usePageQuery();
  /** Also in the first render, where the other is empty. */
  const [address] = useSearchParams();
  const [draft, setDraft] = useState<Draft | null>(null);

  const search = query.toString();
  const settled = readRoiQuery(query);
  // A link to other figures was followed meanwhile: what was typed before belongs to the page that was left.
  const current = draft && (draft.from === search || draft.to === search) ? draft : null;
  const texts = current?.texts ?? roiTexts(settled.values);
  const period = current?.period ?? settled.period;
  const { values, errors } = checkTexts(texts, settled.values);
  const target = writeRoiQuery(query, values, period).toString();
  // Without what else the visitor's own address carries, such as the campaign that led here.
  const shared = writeRoiQuery(new URLSearchParams(), values, period).toString();

  useEffect(() => {
    if (!current || target === search) return;
    const timer = setTimeout(() => {
      setDraft({ ...current, from: search, to: target });
      replaceQuery(new URLSearchParams(target));
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [current, search, target, replaceQuery]);

  // React takes over the fields as they are, and the next render would overwrite them.
  const adopt = useEffectEvent(() => {
    const early = earlyTexts(panel.current);
    if (Object.keys(early).length === 0) return;
    const from = address.toString();
    const at = readRoiQuery(address);
    setDraft({ texts: { ...roiTexts(at.values), ...early }, period: at.period, from, to: from });
  });
  // oxlint-disable-next-line react/set-state-in-effect -- the figures are in the document alone, once.
  useLayoutEffect(() => adopt(), []);

  const edit = (change: Partial<Pick<Draft, 'texts' | 'period'>>) =>
    setDraft({ texts, period, from: search, to: search, ...change });
  return {
    texts,
    errors,
    values,
    period,
    settled,
    address: `/agencies${shared && `?${shared}`}#roi`,
    changed: shared !== '' || Object.keys(errors).length > 0,
    change: (key, text) => edit({ texts: { ...texts, [key]: text } }),
    showPeriod: (chosen) => edit({ period: chosen }),
    reset: () => edit({ texts: roiTexts(initialRoiValues), period: 'month' }),
  };
}

/** Figures that the visitor entered before this code arrived. */
function earlyTexts(panel: HTMLElement | null): Partial<RoiTexts> {
  const changed = [...(panel?.querySelectorAll<HTMLInputElement>('input[name]') ?? [])].filter(
    ({ value, defaultValue }) => value !== defaultValue,
  );
  return Object.fromEntries(
    roiFieldKeys.flatMap((key) => {
      const field = changed.find(({ name }) => name === roiField[key].name);
      return field ? [[key, field.value]] : [];
    }),
  );
}
