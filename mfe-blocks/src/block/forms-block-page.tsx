import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'forms',
  lead: 'Post a form from any page. The block checks each field, stores the answers and tells your team.',
  description:
    'The Forms Block stores form definitions and submissions behind REST APIs: fields with checks, errors that name the field, an inbox, and a message for your team.',
  calls: [
    {
      title: 'Define a form',
      text: 'Fields and their checks live in one place, so the browser and the API agree.',
      request: 'PUT /forms/contact',
      body: {
        title: 'Contact us',
        fields: [
          { name: 'email', kind: 'email', required: true },
          { name: 'message', kind: 'text', max: 2000 },
        ],
      },
      status: '200 OK',
      response: { data: { type: 'forms', id: 'contact', attributes: { title: 'Contact us', fields: 2 } } },
    },
    {
      title: 'Send an answer',
      text: 'Your visitor needs no account. The id in the response is the receipt.',
      request: 'POST /forms/contact/submissions',
      body: { email: 'ada@example.com', message: 'Can we talk on Friday?' },
      status: '201 Created',
      response: {
        data: { type: 'submissions', id: 'sub_204', attributes: { form: 'contact', status: 'new' } },
      },
    },
    {
      title: 'Catch a mistake',
      text: 'An answer that fails a check isn’t stored. The error names the field, so you can show it right there.',
      request: 'POST /forms/contact/submissions?dry_run',
      body: { email: 'ada@', message: '' },
      status: '422 Unprocessable Content',
      response: {
        errors: [{ field: 'email', code: 'invalid', detail: 'Enter a complete email address.' }],
      },
    },
    {
      title: 'Read the inbox',
      text: 'Newest first. Mark answers as done, export them, or let a retention period delete them.',
      request: 'GET /forms/contact/submissions?status=new',
      status: '200 OK',
      response: {
        data: [
          { type: 'submissions', id: 'sub_204', attributes: { email: 'ada@example.com', status: 'new' } },
        ],
        meta: { total: 1 },
      },
    },
  ],
  screen: {
    lead: 'Everything people sent, ready to be answered.',
    title: 'Contact us · Inbox',
    rows: [
      { text: 'ada@example.com', note: 'Can we talk on Friday?', value: 'New' },
      { text: 'grace@example.com', note: 'Do you build for iOS?', value: 'Answered' },
      { text: 'alan@example.com', note: 'Please send a quote.', value: 'Answered' },
    ],
  },
  related: {
    'file-management': 'Take attachments with a submission.',
    journey: 'Start a journey when someone sends a form.',
    auth: 'Fill in what you already know about a signed-in user.',
  },
  questions: [
    ['Does it work without JavaScript?', 'Yes. A plain HTML form can post to the same address.'],
    [
      'How do you keep spam out?',
      'A hidden field and a small captcha that runs in the background. People see neither.',
    ],
    [
      'Who gets the message?',
      'The team you name for the form. The email says which form; the answers stay in the inbox.',
    ],
  ],
});
