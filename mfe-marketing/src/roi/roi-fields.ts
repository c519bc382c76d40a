export interface RoiField {
  /** The query parameter. */
  name: string;
  label: string;
  unit: 'projects' | 'hours' | 'dollars' | 'percent';
  initial: number;
  min: number;
  max: number;
  step: number;
  /** Upper end of the slider if lower than `max`: covers most agencies. */
  sliderMax?: number;
  hint?: string;
}

/**
 * Every number of the calculation, in form order. The assumptions are the specification's claims for agencies. The four
 * inputs start with an example, because the specification has no values for them.
 */
const roiFields = {
  projects: {
    name: 'projects',
    label: 'Projects per month',
    unit: 'projects',
    initial: 4,
    min: 0.5,
    max: 200,
    step: 0.5,
    sliderMax: 20,
  },
  hours: {
    name: 'hours',
    label: 'Hours per project',
    unit: 'hours',
    initial: 120,
    min: 1,
    max: 5000,
    step: 1,
    sliderMax: 600,
  },
  cost: {
    name: 'cost',
    label: 'Cost of an hour',
    unit: 'dollars',
    initial: 45,
    min: 0,
    max: 1000,
    step: 1,
    sliderMax: 200,
    hint: 'Your cost per hour, not your rate.',
  },
  price: {
    name: 'price',
    label: 'Average project price',
    unit: 'dollars',
    initial: 8000,
    min: 0,
    max: 1_000_000,
    step: 100,
    sliderMax: 50_000,
  },
  timeSaved: {
    name: 'time-saved',
    label: 'Less time per project',
    unit: 'percent',
    initial: 60,
    min: 0,
    max: 90,
    step: 1,
    hint: 'Our figure: 60%. Use your own.',
  },
  moreLow: {
    name: 'more-low',
    label: 'More projects a month, at least',
    unit: 'projects',
    initial: 2,
    min: 0,
    max: 50,
    step: 0.5,
  },
  moreHigh: {
    name: 'more-high',
    label: 'More projects a month, at most',
    unit: 'projects',
    initial: 3,
    min: 0,
    max: 50,
    step: 0.5,
  },
  rateLow: {
    name: 'rate-low',
    label: 'Higher rates, at least',
    unit: 'percent',
    initial: 25,
    min: 0,
    max: 200,
    step: 1,
  },
  rateHigh: {
    name: 'rate-high',
    label: 'Higher rates, at most',
    unit: 'percent',
    initial: 40,
    min: 0,
    max: 200,
    step: 1,
  },
  claimLow: {
    name: 'claim-low',
    label: 'Stated revenue impact, from',
    unit: 'dollars',
    initial: 15_000,
    min: 0,
    max: 1_000_000,
    step: 500,
  },
  claimHigh: {
    name: 'claim-high',
    label: 'Stated revenue impact, to',
    unit: 'dollars',
    initial: 50_000,
    min: 0,
    max: 1_000_000,
    step: 500,
  },
  plan: {
    name: 'plan',
    label: 'Plan price per month',
    unit: 'dollars',
    initial: 79.99,
    min: 0,
    max: 100_000,
    step: 0.01,
    hint: 'From $79.99 for one block. Need more? Ask us and enter the price here.',
  },
} as const satisfies Record<string, RoiField>;

export type RoiFieldKey = keyof typeof roiFields;
export type RoiValues = Record<RoiFieldKey, number>;

export const roiFieldKeys = Object.keys(roiFields) as RoiFieldKey[];

/** The same table, with optional properties in its type. */
export const roiField: Record<RoiFieldKey, RoiField> = roiFields;

export const initialRoiValues = Object.fromEntries(
  roiFieldKeys.map((key) => [key, roiFields[key].initial]),
) as RoiValues;

/** Pairs that form a range: the second must not be below the first. */
export const roiRanges = [
  ['moreLow', 'moreHigh'],
  ['rateLow', 'rateHigh'],
  ['claimLow', 'claimHigh'],
] as const satisfies readonly (readonly [RoiFieldKey, RoiFieldKey])[];
