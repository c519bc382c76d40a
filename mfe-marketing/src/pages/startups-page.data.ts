import type { BlockName } from '@site/ui/blocks/block-name';

export interface Week {
  title: string;
  text: string;
  blocks: readonly BlockName[];
}

export const weeks: readonly Week[] = [
  {
    title: 'Setup and authentication',
    text: 'Create the app, connect your frontend, let people register, log in and recover a password.',
    blocks: ['auth', 'onboarding'],
  },
  {
    title: 'Core features',
    text: 'Add the blocks your idea stands on, and spend the week on the part that is only yours.',
    blocks: ['forms', 'search', 'file-management'],
  },
  {
    title: 'Payments and polish',
    text: 'Put a price on it: products and sales go in, rough edges come out.',
    blocks: ['products', 'sales'],
  },
  {
    title: 'Launch ready',
    text: 'Move from Stage to Prod. Telemetry and infrastructure are running already.',
    blocks: [],
  },
];

export const benefits = [
  {
    title: 'First users while the idea is fresh',
    text: 'A 4-week MVP instead of a season of plumbing: an 80 percent time reduction for what every product needs.',
    figure: '4 weeks',
  },
  {
    title: 'Money for the product, not for servers',
    text: 'The first month is free in a stage environment, with no credit card. After that you take a plan by the month.',
    figure: '1st month free',
  },
  {
    title: 'The same backend after launch',
    text: 'Blocks are production ready. Instrumentation, telemetry, DevOps and infrastructure come with them, so growing needs no rewrite.',
    figure: 'Dev, Stage, Prod',
  },
] as const;

export interface Feature {
  block: BlockName;
  name: string;
}

export const features: readonly Feature[] = [
  { name: 'Sign-up, login and password recovery', block: 'auth' },
  { name: 'A guided first session', block: 'onboarding' },
  { name: 'Teams and company accounts', block: 'companies' },
  { name: 'Forms that keep every answer', block: 'forms' },
  { name: 'Uploads and documents', block: 'file-management' },
  { name: 'Search over your own content', block: 'search' },
  { name: 'A product catalog', block: 'products' },
  { name: 'Orders and sales', block: 'sales' },
  { name: 'Live updates', block: 'real-time' },
  { name: 'Maps and places', block: 'geolocation' },
];

export const startupStories = [
  {
    name: 'Trailhead',
    industry: 'Education',
    facts: [
      ['Challenge', 'Tutors and learners were waiting; login, course plans and progress were not there.'],
      ['Solution', 'Auth, University and Journey behind a frontend the two founders had already drawn.'],
      ['Result', 'An MVP in 4 weeks, tested by the first tutors in the stage environment.'],
      ['Funding', 'Bootstrapped'],
    ],
  },
  {
    name: 'Corner Pantry',
    industry: 'Local food retail',
    facts: [
      ['Challenge', 'Shops wanted to sell online before the season, and there was one developer.'],
      ['Solution', 'Products, Sales and Search over REST; Geolocation finds the nearest shop.'],
      ['Result', '80 percent less time for the backend, and a launch before the season.'],
      ['Funding', 'Angel investors'],
    ],
  },
  {
    name: 'Fleetnote',
    industry: 'Logistics',
    facts: [
      ['Challenge', 'Drivers reported on paper. A pilot customer asked for live updates within a month.'],
      ['Solution', 'Real Time, Forms and File Management; the drivers’ app was the only new code.'],
      ['Result', 'The pilot began on the promised day, on the same blocks that run in production.'],
      ['Funding', 'Preparing a seed round'],
    ],
  },
] as const;
