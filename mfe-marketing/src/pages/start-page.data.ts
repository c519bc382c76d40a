export interface Plan {
  id: string;
  name: string;
  price: number;
  regular?: number;
  from?: boolean;
  offer?: string;
  text: string;
  choose: string;
}

export const plans: readonly Plan[] = [
  {
    id: 'developers',
    name: 'Developers',
    price: 59.99,
    regular: 79.99,
    offer: 'Pioneers offer',
    text: 'For one person with one product.',
    choose: 'You build alone and want your first block in production.',
  },
  {
    id: 'startups',
    name: 'Startups',
    price: 65.99,
    regular: 69.99,
    text: 'For a team on its way to its first customers.',
    choose: 'Several people share one app and ship to customers.',
  },
  {
    id: 'agencies',
    name: 'Agencies',
    price: 79.99,
    from: true,
    text: 'For studios that build for several clients.',
    choose: 'Every client project starts from the same blocks.',
  },
];

export const planParts = [
  { count: '1', name: 'block' },
  { count: '1,000', name: 'internal users' },
  { count: '3', name: 'environments: Dev, Stage and Prod' },
] as const;

/** The only explanation of pay-as-you-go. The specification states no unit and no price. */
export const payAsYouGo =
  'Start free, and pay for more as you use more. A plan has one block and 1,000 internal users. For more of either, ask us: you get a price within 24 hours, Monday to Friday.';

export const pricingQuestions = [
  { question: 'What is pay-as-you-go?', answer: payAsYouGo },
  {
    question: 'What happens after the free month?',
    answer: 'You choose a plan, or you stop. You enter no credit card to start, so nothing is charged.',
  },
  {
    question: 'Which environments do I get?',
    answer: 'Dev, Stage and Prod with every plan. The free month runs in Stage.',
  },
  {
    question: 'Can I get my money back?',
    answer: 'No. Fees are non-refundable, so use the free month to find out whether a block fits.',
  },
] as const;

export const firstYear = ({ price }: Plan): number => 11 * price;

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** `59.99` → `$59.99` */
export const formatPrice = (price: number) => dollars.format(price);
