import type { RoiField } from './roi-fields.ts';

// The page is prerendered, so every engine must format alike. Fix the locale and both fraction limits: WebKit raises
// the default minimum of a compact currency to 1 and formats `$32.0K`.
const LOCALE = 'en-US';
const dollars = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 0,
  maximumFractionDigits: 0,
});
const shortDollars = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  minimumFractionDigits: 0,
  maximumFractionDigits: 1,
});
const number = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 0, maximumFractionDigits: 1 });

type Format = (value: number) => string;

// Round first, then `|| 0`: a value that rounds to zero must not read as "-$0".
/** `$28,000` */
export const formatDollars: Format = (value) => dollars.format(Math.round(value) || 0);
/** `$28K` */
export const formatShortDollars: Format = (value) => shortDollars.format(Math.round(value) || 0);
/** `2.5` */
export const formatNumber: Format = (value) => number.format(Math.round(value * 10) / 10 || 0);

export function formatUnit(value: number, unit: RoiField['unit']): string {
  if (unit === 'dollars') return formatDollars(value);
  if (unit === 'percent') return `${formatNumber(value)}%`;
  return formatNumber(value);
}

export function formatRange(a: number, b: number, format: Format): string {
  const [low, high] = [format(Math.min(a, b)), format(Math.max(a, b))];
  return low === high ? low : `${low} to ${high}`;
}
