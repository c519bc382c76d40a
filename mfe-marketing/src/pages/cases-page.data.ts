import type { BlockName } from '@site/ui/blocks/block-name';
import type { RecordsScreenProps } from '@site/ui/screens/records-screen';

export interface BuildStep {
  title: string;
  text: string;
  hours: number;
  calls: readonly string[];
  /** What the step puts on the screen. */
  screen: RecordsScreenProps;
}

export interface Story {
  slug: string;
  title: string;
  kind: 'digital-agency' | 'startup';
  label: string;
  text: string;
  result: string;
  instead: number;
  /** The kind of hours. */
  unit: string;
  blocks: readonly BlockName[];
  steps: readonly BuildStep[];
  code: { title: string; code: string };
}

export const stories: readonly Story[] = [
  {
    slug: 'digital-agency-client-portals',
    kind: 'digital-agency',
    label: 'Digital Agency',
    title: 'One base for every client portal',
    text: 'Every client wants a portal: sign in, see your own company, exchange files. The agency builds it once on three blocks, then starts each project from the copy.',
    result: '60% less time per project',
    instead: 160,
    unit: 'hours',
    blocks: ['auth', 'companies', 'file-management'],
    steps: [
      {
        title: 'Sign in',
        text: 'The portal’s own form, two calls behind it. Registration, login and password recovery work the same for every client.',
        hours: 6,
        calls: ['POST /users/register', 'POST /users/login'],
        screen: { title: 'Northwind portal', fields: ['Email', 'Password'], button: 'Log in' },
      },
      {
        title: 'One company per client',
        text: 'Each client is a company with members and roles. The block refuses what a role can’t do, so the frontend only hides the button.',
        hours: 8,
        calls: ['POST /companies', 'POST /companies/{id}/members'],
        screen: {
          title: 'Northwind · Members',
          rows: [
            { text: 'Ada', value: 'Owner' },
            { text: 'Grace', value: 'Editor' },
            { text: 'Alan', value: 'Invited' },
          ],
        },
      },
      {
        title: 'Files that stay private',
        text: 'Uploads go straight to storage. A client sees the files of its own company and shares them by a link that expires.',
        hours: 10,
        calls: ['POST /files', 'POST /files/{id}/links'],
        screen: {
          title: 'Northwind · Contracts',
          rows: [
            { text: 'contract-2025.pdf', value: '1.2 MB' },
            { text: 'brand-guide.pdf', value: '8.4 MB' },
            { text: 'invoice-0042.pdf', value: '96 KB' },
          ],
        },
      },
      {
        title: 'The client’s own design',
        text: 'The rest of the budget: layout, words and the two screens this client asked for. The next portal starts here.',
        hours: 40,
        calls: ['GET /companies/{id}', 'GET /files?folder=contracts'],
        screen: {
          title: 'Welcome back, Ada',
          rows: [
            { text: '3 new files', value: 'since Monday' },
            { text: 'Spring campaign', value: 'in review' },
          ],
        },
      },
    ],
    code: {
      title: 'A new portal, from the agency’s script',
      code: `const { data: company } = await post('/companies', {
  name: 'Northwind Studio',
  reference: 'C-1042',
});

// The block emails the invitation.
await post(\`/companies/\${company.id}/members\`, {
  email: 'grace@example.com',
  role: 'editor',
});`,
    },
  },
  {
    slug: 'startup-mvp-in-four-weeks',
    kind: 'startup',
    label: 'Startup',
    title: 'From a sketch to an MVP',
    text: 'Two founders match volunteers with local projects. They leave the backend to three blocks and spend their four weeks on the screen that makes the product theirs.',
    result: 'A 4-week MVP',
    instead: 180,
    unit: 'backend hours',
    blocks: ['onboarding', 'forms', 'search'],
    steps: [
      {
        title: 'Week 1: the first minutes',
        text: 'A new volunteer gets three steps and finds them again on another device.',
        hours: 10,
        calls: ['PUT /onboarding/flows/{id}', 'POST /onboarding/users/{id}/steps/{step}'],
        screen: {
          title: 'Your first week',
          rows: [
            { text: 'Complete your profile', value: 'Done' },
            { text: 'Pick your topics', value: 'Next' },
            { text: 'Say hello', value: 'Optional' },
          ],
        },
      },
      {
        title: 'Week 2: projects come in',
        text: 'Projects apply with a form. Checks, spam protection and the inbox are the block’s work.',
        hours: 12,
        calls: ['PUT /forms/project', 'POST /forms/project/submissions'],
        screen: { title: 'Add your project', fields: ['Project', 'Help needed'], button: 'Send' },
      },
      {
        title: 'Week 3: find a match',
        text: 'The submissions become an index. Typing errors still find the right project.',
        hours: 14,
        calls: ['POST /search/indexes/projects/documents', 'GET /search/indexes/projects?q=gardn'],
        screen: {
          title: 'gardn',
          rows: [
            { text: 'Community garden', value: '2 km' },
            { text: 'School garden', value: '5 km' },
          ],
        },
      },
    ],
    code: {
      title: 'The search behind the last screen',
      code: `const { data } = await get(
  '/search/indexes/projects?q=gardn',
);

data.map(({ attributes }) => attributes.title);
// ['Community garden', 'School garden']`,
    },
  },
];

/** The filter in the URL: `/cases?filter=digital-agency`. */
export const filters = [
  { value: 'all', label: 'All' },
  { value: 'digital-agency', label: 'Digital Agency' },
] as const;
