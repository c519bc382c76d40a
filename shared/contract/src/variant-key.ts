import type { VariantChoice } from './variants.ts';

/** A canonical text of a choice, sorted by name: `headline=a`; empty without variants. */
export function variantKey(choice: VariantChoice): string {
  return Object.keys(choice)
    .sort()
    .map((name) => `${name}=${choice[name]}`)
    .join('&');
}
