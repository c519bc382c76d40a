import type { BlockName } from '@site/ui/blocks/block-name';

export const agencyClaims = [
  { value: '60%', label: 'time reduction' },
  { value: '2–3', label: 'more projects a month' },
  { value: '25–40%', label: 'premium rate increase' },
  { value: '+$15–50k', label: 'monthly revenue impact' },
] as const;

export const reasons = [
  {
    title: 'The quote is half written',
    text: 'Almost every brief has login, forms, search and files. With 15+ production-ready blocks, they’re line items you know instead of weeks you guess.',
  },
  {
    title: 'The team builds what the client sees',
    text: 'Business logic comes with the blocks. 60% less time per project goes back into design, content and the one feature that wins the pitch.',
  },
  {
    title: 'Your stack stays yours',
    text: 'Blocks are REST APIs. Use one frontend framework for this client and another for the next.',
  },
  {
    title: 'You hand over no servers',
    text: 'Instrumentation, telemetry, DevOps and infrastructure come with every block. Your team isn’t on call for them.',
  },
  {
    title: 'The demo costs nothing',
    text: 'The first month in Stage is free. Pitch with a working product.',
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
    text: 'Customers log in, find documents and send requests.',
    blocks: ['auth', 'companies', 'file-management'],
  },
  {
    name: 'Online shop',
    text: 'A searchable catalog, orders, and points for returning customers.',
    blocks: ['products', 'sales', 'search', 'rewards'],
  },
  {
    name: 'Learning site',
    text: 'Courses and progress behind the client’s own frontend.',
    blocks: ['university', 'journey', 'auth'],
  },
  {
    name: 'Campaign site',
    text: 'Pages that editors change themselves, and forms that store every lead.',
    blocks: ['content', 'forms', 'rewards'],
  },
  {
    name: 'Field service app',
    text: 'Live locations, the next job, and a report from each visit.',
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
      ['Challenge', 'Every client portal started with weeks of login, roles and uploads.'],
      ['Solution', 'Auth, Companies and File Management are the base of every portal.'],
      ['Result', '60% less time per project, and two more projects a month with the same five people.'],
    ],
  },
  {
    name: 'A commerce agency',
    industry: 'Online retail',
    facts: [
      ['Challenge', 'Shop backends ate the margin of fixed-price projects.'],
      ['Solution', 'Products, Sales, Search and Rewards over REST. The team builds the storefront.'],
      ['Result', 'Faster launches justify a 25% higher rate.'],
    ],
  },
  {
    name: 'A product consultancy',
    industry: 'Software for enterprises',
    facts: [
      ['Challenge', 'Good pitches lost to bigger teams with earlier dates.'],
      ['Solution', 'The pitch shows a working prototype in Stage.'],
      ['Result', 'Three more projects a month, and +$15–50k in monthly revenue.'],
    ],
  },
] as const;
