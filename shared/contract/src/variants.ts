import type { Variants } from './route.schema.ts';

/** One value for each variant of a page: `{ headline: 'a' }`. */
export type VariantChoice = Record<string, string>;

/** A stable text for a choice, sorted by name: `headline=a`; the empty text when a page has no variants. */
export function variantKey(choice: VariantChoice): string {
  return Object.keys(choice)
    .sort()
    .map((name) => `${name}=${choice[name]}`)
    .join('&');
}

/** Every combination of a page's variants; `[{}]` when it has none. */
export function variantChoices(variants: Variants = {}): VariantChoice[] {
  return Object.entries(variants).reduce<VariantChoice[]>(
    (choices, [name, values]) =>
      choices.flatMap((choice) => values.map((value) => ({ ...choice, [name]: value }))),
    [{}],
  );
}

/** Draws one value of each variant, each with equal probability. `random` returns a number in [0, 1). */
export function drawVariants(variants: Variants = {}, random: () => number = Math.random): VariantChoice {
  return Object.fromEntries(
    Object.entries(variants).map(([name, values]) => [
      name,
      values[Math.floor(random() * values.length)] as string,
    ]),
  );
}
