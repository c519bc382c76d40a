import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'file-management',
  lead: 'Accept uploads, keep them safe and serve them fast. Your server never touches a byte.',
  description:
    'The File Management Block takes uploads, stores files and delivers them behind REST APIs: signed upload links, folders, previews and expiring download links.',
  calls: [
    {
      title: 'Ask for an upload link',
      text: 'Name, type and size first. The block checks them and answers with a link that works once.',
      request: 'POST /files',
      body: { name: 'contract.pdf', type: 'application/pdf', bytes: 184320 },
      status: '201 Created',
      response: {
        data: {
          type: 'files',
          id: 'fil_9d4',
          attributes: { name: 'contract.pdf', status: 'waiting' },
          links: { upload: '/uploads/fil_9d4?key=…' },
        },
      },
    },
    {
      title: 'Send the file',
      text: 'The browser uploads straight to storage. A broken upload continues where it stopped.',
      request: 'PUT /uploads/fil_9d4?key=…',
      status: '200 OK',
      response: { data: { type: 'files', id: 'fil_9d4', attributes: { status: 'stored', pages: 4 } } },
    },
    {
      title: 'List a folder',
      text: 'Sorted and in pages, so a folder with thousands of files opens like one with ten.',
      request: 'GET /files?folder=contracts&sort=-created',
      status: '200 OK',
      response: {
        data: [
          { type: 'files', id: 'fil_9d4', attributes: { name: 'contract.pdf', bytes: 184320 } },
          { type: 'files', id: 'fil_8c1', attributes: { name: 'offer.pdf', bytes: 90112 } },
        ],
        links: { next: '/files?folder=contracts&page=2' },
      },
    },
    {
      title: 'Share a file',
      text: 'A download link expires when you say so. Nothing in a folder is public by accident.',
      request: 'POST /files/fil_9d4/links',
      body: { expires_in: 3600 },
      status: '201 Created',
      response: {
        data: {
          type: 'links',
          id: 'lnk_52',
          attributes: { href: '/d/lnk_52', expires_in: 3600 },
        },
      },
    },
  ],
  screen: {
    lead: 'Folders, progress and previews come from the same three fields.',
    title: 'Contracts',
    rows: [
      { text: 'contract.pdf', note: '180 KB · 4 pages', value: 'Stored' },
      { text: 'floor-plan.png', note: '2.1 MB of 3.0 MB', value: '70 %', share: 70 },
      { text: 'offer.pdf', note: '88 KB · shared for 1 hour', value: 'Shared' },
    ],
  },
  related: {
    forms: 'Let people attach files to a submission.',
    content: 'Use uploaded images and downloads in your articles.',
    companies: 'Give each organization a folder that only its members open.',
  },
  questions: [
    [
      'Does the upload go through my server?',
      'No. Your server asks for the link; the browser sends the file to storage.',
    ],
    ['Can I delete a file for good?', 'Yes. DELETE removes the file, its previews and every link to it.'],
    [
      'Which file types can I accept?',
      'The ones you list. Everything else is refused before a byte is sent.',
    ],
  ],
});
