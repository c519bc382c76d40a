import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'content',
  lead: 'A headless CMS: your team writes, your frontend shows. Drafts, versions and media included.',
  description:
    'The Content Block is a headless CMS behind REST APIs: define content types, write drafts, publish, go back to an older version, and deliver to any frontend.',
  calls: [
    {
      title: 'Define a type',
      text: 'An article is not a landing page. Say which fields each has, and editors see only those.',
      request: 'PUT /content/types/article',
      body: { fields: { title: 'text', body: 'rich-text', cover: 'image' } },
      status: '200 OK',
      response: { data: { type: 'types', id: 'article', attributes: { fields: 3 } } },
    },
    {
      title: 'Write a draft',
      text: 'Every save is a version. Only your editors see it.',
      request: 'POST /content/article',
      body: { title: 'We opened a second shop', body: '…', locale: 'en' },
      status: '201 Created',
      response: {
        data: { type: 'article', id: 'second-shop', attributes: { version: 1, status: 'draft' } },
      },
    },
    {
      title: 'Publish',
      text: 'Now, or at the time you give.',
      request: 'POST /content/article/second-shop/publications',
      body: { at: '2025-03-04T09:00:00Z' },
      status: '201 Created',
      response: { data: { type: 'publications', id: 'pub_3', attributes: { status: 'scheduled' } } },
    },
    {
      title: 'Show it',
      text: 'The delivery call needs no token and is made to be cached.',
      request: 'GET /content/article/second-shop?locale=en',
      status: '200 OK',
      response: {
        data: {
          type: 'article',
          id: 'second-shop',
          attributes: { title: 'We opened a second shop', version: 3 },
        },
        included: [{ type: 'files', id: 'fil_9d4' }],
      },
    },
  ],
  screen: {
    lead: 'What editors see while you build the page.',
    title: 'Articles',
    rows: [
      { text: 'We opened a second shop', note: 'Version 3 · Ada', value: 'Scheduled' },
      { text: 'How we roast', note: 'Version 7 · Grace', value: 'Published' },
      { text: 'Summer opening hours', note: 'Version 1 · Alan', value: 'Draft' },
    ],
  },
  related: {
    'file-management': 'Keep images and downloads where editors find them.',
    search: 'Let readers search everything that’s published.',
    university: 'Reuse articles as lessons.',
  },
  questions: [
    ['Can I undo a change?', 'Publish an older version. It takes one call, and the newer one is kept.'],
    [
      'Does it support several languages?',
      'Yes. Each entry has a version per locale, and you choose the fallback.',
    ],
  ],
});
