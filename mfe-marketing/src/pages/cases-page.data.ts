import type { BlockName } from '@site/ui/blocks/block-name';

export interface Story {
  /** The path of the story's page on the solutions site. */
  slug: string;
  title: string;
  kind: 'digital-agency' | 'startup';
  label: string;
  text: string;
  result: string;
  blocks: readonly BlockName[];
}

export const stories: readonly Story[] = [
  {
    slug: 'digital-agency-client-portals',
    kind: 'digital-agency',
    label: 'Digital Agency',
    title: 'One base for every client portal',
    text: 'An agency stops rebuilding login, companies and files for each client and starts every portal from the same three blocks.',
    result: '60% less time per project',
    blocks: ['auth', 'companies', 'file-management'],
  },
  {
    slug: 'startup-mvp-in-four-weeks',
    kind: 'startup',
    label: 'Startup',
    title: 'From a sketch to an MVP',
    text: 'Two founders give the backend to blocks and their four weeks to the one screen that makes the product theirs.',
    result: 'A 4-week MVP',
    blocks: ['onboarding', 'forms', 'search'],
  },
];

/** The filter in the URL: `/cases?filter=digital-agency`. */
export const filters = [
  { value: 'all', label: 'All' },
  { value: 'digital-agency', label: 'Digital Agency' },
] as const;
