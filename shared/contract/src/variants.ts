import type { Variants } from './route.schema.ts';

/** One value for each variant of a page: `{ headline: 'a' }`. */
export type VariantChoice = Record<string, string>;

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
