import type { Variants } from './route.schema.ts';

/** One value for each variant: `{ headline: 'a' }`. */
export type VariantChoice = Record<string, string>;

/** All combinations of variants; `[{}]` without variants. */
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

/** A canonical text of a choice, sorted by name: `headline=a`; empty without variants. */
export function variantKey(choice: VariantChoice): string {
  return Object.keys(choice)
    .sort()
    .map((name) => `${name}=${choice[name]}`)
    .join('&');
}
