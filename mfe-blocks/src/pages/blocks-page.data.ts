import type { BlockName } from '@site/ui/blocks/block-name';

export const description =
  'Fifteen production-ready API blocks, from Auth to Search, with the business logic built in. Managed for you, and ready to plug into any frontend.';

export type BlockGroup = 'people' | 'content' | 'growth';

export interface Block {
  slug: BlockName;
  name: string;
  group: BlockGroup;
  text: string;
}

export const blockPath = (slug: BlockName): `/blocks/${BlockName}` => `/blocks/${slug}`;

export const blocks: readonly Block[] = [
  {
    slug: 'companies',
    name: 'Companies',
    group: 'people',
    text: 'Organizations, their teams, and who belongs to them.',
  },
  {
    slug: 'file-management',
    name: 'File Management',
    group: 'content',
    text: 'Uploads, storage and delivery of files.',
  },
  {
    slug: 'forms',
    name: 'Forms',
    group: 'content',
    text: 'Fields, checks and submissions, ready to receive.',
  },
  {
    slug: 'auth',
    name: 'Auth',
    group: 'people',
    text: 'Registration, login and password recovery.',
  },
  {
    slug: 'geolocation',
    name: 'Geolocation',
    group: 'content',
    text: 'Places, distances, and what is nearby.',
  },
  {
    slug: 'jarvis',
    name: 'Jarvis (ML)',
    group: 'growth',
    text: 'Machine learning behind a plain REST call.',
  },
  {
    slug: 'journey',
    name: 'Journey',
    group: 'people',
    text: 'The way each user takes through your product.',
  },
  {
    slug: 'onboarding',
    name: 'Onboarding',
    group: 'people',
    text: 'New users, led from sign-up to the first result.',
  },
  { slug: 'products', name: 'Products', group: 'growth', text: 'A catalog: items, categories and prices.' },
  {
    slug: 'real-time',
    name: 'Real Time',
    group: 'growth',
    text: 'Updates that arrive the moment they happen.',
  },
  { slug: 'rewards', name: 'Rewards', group: 'growth', text: 'Points and perks for the users who stay.' },
  { slug: 'sales', name: 'Sales', group: 'growth', text: 'Deals and orders, from first contact to close.' },
  {
    slug: 'search',
    name: 'Search',
    group: 'content',
    text: 'Answers from your own data, as the user types.',
  },
  {
    slug: 'university',
    name: 'University',
    group: 'people',
    text: 'A headless learning system: courses and lessons.',
  },
  { slug: 'content', name: 'Content', group: 'content', text: 'A headless CMS for texts, pages and media.' },
];

/** The filter in the URL: `/blocks?filter=people`. */
export const groups = [
  { value: 'all', label: 'All' },
  { value: 'people', label: 'People' },
  { value: 'content', label: 'Content' },
  { value: 'growth', label: 'Growth' },
] as const satisfies readonly { value: BlockGroup | 'all'; label: string }[];
