import type { Variants } from './route.schema.ts';
import type { SiteConfig } from './site-config.schema.ts';

export type VariantChoice = Record<string, string>;

export function variantChoices(variants: Variants = {}): VariantChoice[] {
  return Object.entries(variants).reduce<VariantChoice[]>(
    (choices, [name, values]) =>
      choices.flatMap((choice) => values.map((value) => ({ ...choice, [name]: value }))),
    [{}],
  );
}

/** Chooses one value of each variant with equal probability. `random` returns a number in [0, 1). */
export function drawVariants(variants: Variants = {}, random: () => number = Math.random): VariantChoice {
  return Object.fromEntries(
    Object.entries(variants).map(([name, values]) => [
      name,
      values[Math.floor(random() * values.length)] as string,
    ]),
  );
}

/** The variants that a load draws from after a choice for everyone. Values that the page no longer has are ignored. */
export function chosenVariants(variants: Variants, choice: VariantChoice = {}): Variants {
  return Object.fromEntries(
    Object.entries(variants).map(([name, values]) => {
      const chosen = choice[name];
      return [name, chosen !== undefined && values.includes(chosen) ? [chosen] : values];
    }),
  );
}

export function showVariants(config: SiteConfig, page: string, choice: VariantChoice): SiteConfig {
  return { ...config, chosenVariants: { ...config.chosenVariants, [page]: choice } };
}

/** Identifies the variants of a page: counts of other variants are not comparable. Such as `headline=a,b`. */
export function experimentKey(variants: Variants): string {
  return variantKey(
    Object.fromEntries(Object.entries(variants).map(([name, values]) => [name, values.join()])),
  );
}

/** A canonical text of a choice, sorted by name: `headline=a`; empty without variants. */
export function variantKey(choice: VariantChoice): string {
  return Object.keys(choice)
    .sort()
    .map((name) => `${name}=${choice[name]}`)
    .join('&');
}
