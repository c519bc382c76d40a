import { useEffect, useEffectEvent, useLayoutEffect, useState, type RefObject } from 'react';
import { useSearchParams } from '@site/kit';
import { usePageQuery } from '@site/ui/page-query';
import { checkTexts, type RoiErrors, type RoiTexts } from './check-values.ts';
import { initialRoiValues, roiField, roiFieldKeys, type RoiFieldKey, type RoiValues } from './roi-fields.ts';
import { readRoiQuery, roiTexts, writeRoiQuery, type RoiPeriod, type RoiState } from './roi-query.ts';

interface Draft {
  texts: RoiTexts;
  period: RoiPeriod;
  /** The initial query and the written query of this draft. */
  from: string;
  to: string;
}

export interface RoiCalculator {
  texts: RoiTexts;
  errors: RoiErrors;
  values: RoiValues;
  period: RoiPeriod;
  settled: RoiState;
  address: string;
  changed: boolean;
  change(key: RoiFieldKey, text: string): void;
  showPeriod(period: RoiPeriod): void;
  reset(): void;
}

/** Browsers reject more than about 100 URL changes in 30 seconds. A slider produces that many in one second. */
const SETTLE_MS = 350;

/**
 * The calculator's state. The URL holds it, and a draft overrides it until the visitor pauses.
 *
 * @param panel the element around all fields.
 */
export function useRoiCalculator(panel: RefObject<HTMLElement | null>): RoiCalculator {
  const [query, replaceQuery] = usePageQuery();
  /** Includes the first render, in which the page query is empty. */
  const [address] = useSearchParams();
  const [draft, setDraft] = useState<Draft | null>(null);

  const search = query.toString();
  const settled = readRoiQuery(query);
  // The visitor followed a link to other figures: discard the draft.
  const current = draft && (draft.from === search || draft.to === search) ? draft : null;
  const texts = current?.texts ?? roiTexts(settled.values);
  const period = current?.period ?? settled.period;
  const { values, errors } = checkTexts(texts, settled.values);
  const target = writeRoiQuery(query, values, period).toString();
  // Without the other parameters of the visitor's URL, such as a campaign.
  const shared = writeRoiQuery(new URLSearchParams(), values, period).toString();

  useEffect(() => {
    if (!current || target === search) return;
    const timer = setTimeout(() => {
      setDraft({ ...current, from: search, to: target });
      replaceQuery(new URLSearchParams(target));
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [current, search, target, replaceQuery]);

  // React hydrates the fields unchanged, and the next render would overwrite them.
  const adopt = useEffectEvent(() => {
    const early = earlyTexts(panel.current);
    if (Object.keys(early).length === 0) return;
    const from = address.toString();
    const at = readRoiQuery(address);
    setDraft({ texts: { ...roiTexts(at.values), ...early }, period: at.period, from, to: from });
  });
  // oxlint-disable-next-line react/set-state-in-effect -- the figures are only in the document, once.
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
