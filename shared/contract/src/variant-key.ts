import type { VariantChoice } from './variants.ts';

/** A stable text for a choice, sorted by name: `headline=a`; the empty text when a page has no variants. */
export function variantKey(choice: VariantChoice): string {
  return Object.keys(choice)
    .sort()
    .map((name) => `${name}=${choice[name]}`)
    .join('&');
}
