import { formatUnit } from './format-roi.ts';
import { roiField, roiFieldKeys, roiRanges, type RoiFieldKey, type RoiValues } from './roi-fields.ts';

export type RoiTexts = Record<RoiFieldKey, string>;
export type RoiErrors = Partial<Record<RoiFieldKey, string>>;

const PLAIN_NUMBER = /^\d{1,9}(\.\d{1,4})?$/;

/**
 * The numbers in `texts`, and an error message per invalid field. An invalid field, and the other end of its range,
 * gets its number from `fallback`, so the calculation always has values.
 */
export function checkTexts(texts: RoiTexts, fallback: RoiValues): { values: RoiValues; errors: RoiErrors } {
  const values = { ...fallback };
  const errors: RoiErrors = {};

  for (const key of roiFieldKeys) {
    const { min, max, unit } = roiField[key];
    const value = PLAIN_NUMBER.test(texts[key].trim()) ? Number(texts[key]) : NaN;
    // False for NaN as well.
    if (value >= min && value <= max) values[key] = value;
    else errors[key] = `Enter a number from ${formatUnit(min, unit)} to ${formatUnit(max, unit)}.`;
  }
  for (const [low, high] of roiRanges) {
    if (!errors[low] && !errors[high]) {
      if (values[high] >= values[low]) continue;
      const least = formatUnit(values[low], roiField[low].unit);
      errors[high] = `Enter at least ${least}, the lower end of this range.`;
    }
    values[low] = fallback[low];
    values[high] = fallback[high];
  }
  return { values, errors };
}
