import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'onboarding',
  lead: 'Lead new users from sign-up to their first result, one step at a time, and pick up where they left off.',
  description:
    'The Onboarding Block keeps checklists for new users behind REST APIs: define steps, start a user, complete a step, read the progress on any device.',
  calls: [
    {
      title: 'Define the steps',
      text: 'Order, texts and what completes a step. Change them at any time; users keep what they’ve done.',
      request: 'PUT /onboarding/flows/first-week',
      body: {
        steps: [
          { id: 'profile', title: 'Complete your profile' },
          { id: 'import', title: 'Import your contacts' },
          { id: 'invite', title: 'Invite a teammate', optional: true },
        ],
      },
      status: '200 OK',
      response: { data: { type: 'flows', id: 'first-week', attributes: { steps: 3 } } },
    },
    {
      title: 'Start a user',
      text: 'Usually right after registration. Starting twice changes nothing.',
      request: 'PUT /onboarding/users/usr_88',
      body: { flow: 'first-week' },
      status: '201 Created',
      response: {
        data: { type: 'progress', id: 'usr_88', attributes: { done: 0, of: 3, next: 'profile' } },
      },
    },
    {
      title: 'Complete a step',
      text: 'From your frontend, or from your server when the work itself is done.',
      request: 'POST /onboarding/users/usr_88/steps/profile',
      status: '200 OK',
      response: {
        data: { type: 'progress', id: 'usr_88', attributes: { done: 1, of: 3, next: 'import' } },
      },
    },
    {
      title: 'Read the progress',
      text: 'The same list on the phone and on the desktop.',
      request: 'GET /onboarding/users/usr_88',
      status: '200 OK',
      response: {
        data: {
          type: 'progress',
          id: 'usr_88',
          attributes: { done: 1, of: 3, next: 'import', started: '2025-03-04' },
        },
      },
    },
  ],
  screen: {
    lead: 'A checklist that survives a closed tab.',
    title: 'Your first week',
    rows: [
      { text: 'Complete your profile', done: true },
      { text: 'Import your contacts', note: 'Next: about 2 minutes', done: false },
      { text: 'Invite a teammate', note: 'Optional', done: false },
    ],
  },
  related: {
    auth: 'Start the checklist when a user registers.',
    journey: 'See how many users get to the end, and where they stop.',
    rewards: 'Thank people for the last step.',
  },
  questions: [
    ['Do I have to use your components?', 'No. You get data; the checklist looks the way you draw it.'],
    [
      'Can two kinds of users get different steps?',
      'Yes. Make two flows, and start each user on the right one.',
    ],
  ],
});
