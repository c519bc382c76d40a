export interface Plan {
  /** The plan's ID in the application, passed to the sign-up. */
  id: string;
  name: string;
  /** Per month, in US dollars. */
  price: number;
  /** The regular price, without the offer. */
  regular?: number;
  /** Whether the price is the plan's starting price. */
  from?: boolean;
  offer?: string;
  text: string;
}

export const plans: readonly Plan[] = [
  {
    id: 'developers',
    name: 'Developers',
    price: 59.99,
    regular: 79.99,
    offer: 'Pioneers offer',
    text: 'For one person with one product.',
  },
  {
    id: 'startups',
    name: 'Startups',
    price: 65.99,
    regular: 69.99,
    text: 'For a team on its way to its first customers.',
  },
  {
    id: 'agencies',
    name: 'Agencies',
    price: 79.99,
    from: true,
    text: 'For studios that build for several clients.',
  },
];

/** The contents of every plan. */
export const planParts = [
  { count: '1', name: 'block' },
  { count: '1,000', name: 'internal users' },
  { count: '3', name: 'environments: Dev, Stage and Prod' },
] as const;

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** `59.99` → `$59.99` */
export const formatPrice = (price: number) => dollars.format(price);
