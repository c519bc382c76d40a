import type { BlockName } from '@site/ui/blocks/block-name';

export interface Week {
  title: string;
  text: string;
  blocks: readonly BlockName[];
}

export const weeks: readonly Week[] = [
  {
    title: 'Setup and authentication',
    text: 'Create the app and connect your frontend. Customers can sign up, log in and recover a password.',
    blocks: ['auth', 'onboarding'],
  },
  {
    title: 'Core features',
    text: 'Add the blocks your product needs. Spend the rest of the week on your own idea.',
    blocks: ['forms', 'search', 'file-management'],
  },
  {
    title: 'Payments and polish',
    text: 'Add products and sales, set your prices and fix the rough edges.',
    blocks: ['products', 'sales'],
  },
  {
    title: 'Launch ready',
    text: 'Move from Stage to Prod. Telemetry and infrastructure are already running.',
    blocks: [],
  },
];

export type BenefitName = 'time' | 'money' | 'growth';

export interface Benefit {
  name: BenefitName;
  title: string;
  text: string;
  figure: string;
}

export const benefits: readonly Benefit[] = [
  {
    name: 'time',
    title: 'Launch while the idea is fresh',
    text: 'A 4-week MVP with an 80 percent time reduction: switch features on instead of writing them.',
    figure: '4 weeks',
  },
  {
    name: 'money',
    title: 'Spend on the product, not on servers',
    text: 'Build in Stage for a month, then choose a monthly plan. Infrastructure is included.',
    figure: '1st month free',
  },
  {
    name: 'growth',
    title: 'Keep the same backend after launch',
    text: 'Blocks are production ready, with instrumentation, telemetry and DevOps. Growth needs no rewrite.',
    figure: 'Dev, Stage, Prod',
  },
];

export interface Feature {
  block: BlockName;
  name: string;
}

export const features: readonly Feature[] = [
  { name: 'Sign-up, login and password recovery', block: 'auth' },
  { name: 'A guided first session', block: 'onboarding' },
  { name: 'Teams and company accounts', block: 'companies' },
  { name: 'Forms with stored submissions', block: 'forms' },
  { name: 'Uploads and documents', block: 'file-management' },
  { name: 'Search across your content', block: 'search' },
  { name: 'A product catalog', block: 'products' },
  { name: 'Orders and sales', block: 'sales' },
  { name: 'Live updates', block: 'real-time' },
  { name: 'Maps and places', block: 'geolocation' },
];

/** Invented: the specification has no real ones. */
export const startupStories = [
  {
    name: 'Trailhead',
    industry: 'Education',
    facts: [
      ['Challenge', 'Tutors were waiting, but there was no login, no course plan and no progress to show.'],
      ['Solution', 'Auth, University and Journey behind a frontend the two founders had already designed.'],
      ['Result', 'An MVP in 4 weeks. The first tutors tested it in Stage.'],
      ['Funding', 'Bootstrapped'],
    ],
  },
  {
    name: 'Corner Pantry',
    industry: 'Local food retail',
    facts: [
      ['Challenge', 'Shops wanted to sell online before the season. The team had one developer.'],
      ['Solution', 'Products, Sales and Search over REST. Geolocation finds the nearest shop.'],
      ['Result', '80 percent less time on the backend, and a launch before the season.'],
      ['Funding', 'Angel investors'],
    ],
  },
  {
    name: 'Fleetnote',
    industry: 'Logistics',
    facts: [
      ['Challenge', 'Drivers reported on paper. A pilot customer wanted live updates within a month.'],
      ['Solution', 'Real Time, Forms and File Management. The drivers’ app was the only new code.'],
      ['Result', 'The pilot started on time, on the blocks that now run in Prod.'],
      ['Funding', 'Preparing a seed round'],
    ],
  },
] as const;
