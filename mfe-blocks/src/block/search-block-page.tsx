import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'search',
  lead: 'Answers from your own data, as your user types. Typos are fine.',
  description:
    'The Search Block makes your own records searchable behind REST APIs: send documents, search as people type, filter by facets, and see what they did not find.',
  calls: [
    {
      title: 'Send documents',
      text: 'In batches. A document with a known id replaces the old one.',
      request: 'POST /search/indexes/articles/documents',
      body: { documents: [{ id: 'a1', title: 'Reset a password', topic: 'account' }] },
      status: '202 Accepted',
      response: { data: { type: 'batches', id: 'bat_7', attributes: { documents: 1 } } },
    },
    {
      title: 'Search',
      text: 'Matches are marked, so you can highlight them without guessing.',
      request: 'GET /search/indexes/articles?q=pasword',
      status: '200 OK',
      response: {
        data: [
          {
            type: 'hits',
            id: 'a1',
            attributes: { title: 'Reset a password', marked: 'Reset a <mark>password</mark>' },
          },
        ],
        meta: { total: 1, corrected: 'password' },
      },
    },
    {
      title: 'Narrow it down',
      text: 'Facets say how many hits each value has, before anyone clicks.',
      request: 'GET /search/indexes/articles?q=reset&facets=topic',
      status: '200 OK',
      response: { data: [], meta: { total: 14, facets: { topic: { account: 9, billing: 5 } } } },
    },
    {
      title: 'Learn from misses',
      text: 'The searches that found nothing are your next articles.',
      request: 'GET /search/indexes/articles/misses?days=7',
      status: '200 OK',
      response: {
        data: [
          { query: 'export csv', times: 18 },
          { query: 'dark mode', times: 11 },
        ],
      },
    },
  ],
  screen: {
    lead: 'A result list that forgives.',
    title: 'pasword',
    rows: [
      { text: 'Reset a password', note: 'Account', value: 'Best match' },
      { text: 'Choose a strong password', note: 'Account' },
      { text: 'Sign in without a password', note: 'Security' },
    ],
  },
  related: {
    content: 'Make every article of your CMS searchable.',
    products: 'Search the catalog by name, color and price.',
    geolocation: 'Put what’s nearby first.',
  },
  questions: [
    [
      'How soon is a document found?',
      'The batch’s status says when it’s in. Until then the old version answers.',
    ],
    ['Can I choose what ranks first?', 'Yes. Weigh fields against each other, and pin a result for a word.'],
  ],
});
