import type { BlockName } from '@site/ui/blocks/block-name';

/** The specification's claims for agencies. */
export const agencyClaims = [
  { value: '60%', label: 'time reduction' },
  { value: '2–3', label: 'more projects a month' },
  { value: '25–40%', label: 'premium rate increase' },
  { value: '+$15–50k', label: 'monthly revenue impact' },
] as const;

export const reasons = [
  {
    title: 'The quote is half written',
    text: 'Login, forms, search and file handling are in almost every brief. With 15+ production-ready blocks they are line items you know, not weeks you guess.',
  },
  {
    title: 'The team builds what the client sees',
    text: 'Business logic comes with the blocks. 60% less time per project goes back into design, content and the one feature that wins the pitch.',
  },
  {
    title: 'Your stack stays yours',
    text: 'Blocks answer over REST, so they plug into any frontend: the framework of this client, and the other one of the next.',
  },
  {
    title: 'Nobody carries a pager',
    text: 'Instrumentation, telemetry, DevOps and infrastructure are part of every block. You hand over a product, not a server to look after.',
  },
  {
    title: 'The demo costs nothing',
    text: 'The first month is free in a stage environment, without a credit card. Build the pitch on the real thing.',
  },
] as const;

export interface ProjectType {
  name: string;
  text: string;
  blocks: readonly BlockName[];
}

export const projectTypes: readonly ProjectType[] = [
  {
    name: 'Client portal',
    text: 'Customers log in, find their documents and send requests.',
    blocks: ['auth', 'companies', 'file-management'],
  },
  {
    name: 'Online shop',
    text: 'A catalog people can search, orders, and points that bring them back.',
    blocks: ['products', 'sales', 'search', 'rewards'],
  },
  {
    name: 'Learning site',
    text: 'Courses and progress behind the frontend the client already has.',
    blocks: ['university', 'journey', 'auth'],
  },
  {
    name: 'Campaign site',
    text: 'Pages editors change by themselves, and forms that catch every lead.',
    blocks: ['content', 'forms', 'rewards'],
  },
  {
    name: 'Field service app',
    text: 'Who is where, what comes next, and the report from the site visit.',
    blocks: ['geolocation', 'real-time', 'forms'],
  },
  {
    name: 'Product with a model inside',
    text: 'Machine learning behind a normal API, with a guided first session.',
    blocks: ['jarvis', 'onboarding', 'auth'],
  },
];

export const agencyStories = [
  {
    name: 'A studio of five',
    industry: 'Web design',
    facts: [
      ['Challenge', 'Every client portal began with the same weeks of login, roles and uploads.'],
      ['Solution', 'Auth, Companies and File Management as the fixed base of each portal.'],
      ['Result', '60% less time per project, and two more projects a month with the same five people.'],
    ],
  },
  {
    name: 'A commerce agency',
    industry: 'Online retail',
    facts: [
      ['Challenge', 'Fixed prices, and shop backends that ate the margin after the design was done.'],
      ['Solution', 'Products, Sales, Search and Rewards over REST, the storefront built by hand.'],
      ['Result', 'Earlier launches carried a 25% higher rate, and the hours went into the storefront.'],
    ],
  },
  {
    name: 'A product consultancy',
    industry: 'Software for enterprises',
    facts: [
      ['Challenge', 'Good pitches lost against bigger teams that promised earlier dates.'],
      ['Solution', 'A working prototype in the stage environment, shown in the pitch itself.'],
      ['Result', 'Three more projects a month, and revenue up within the stated +$15–50k a month.'],
    ],
  },
] as const;
