import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'journey',
  lead: 'See the way each user takes through your product, and step in at the moment that matters.',
  description:
    'The Journey Block follows users through the stages of your product behind REST APIs: define stages, record events, read funnels, and act when someone gets stuck.',
  calls: [
    {
      title: 'Define the stages',
      text: 'A journey is a list of stages. Each one is reached by an event from your app.',
      request: 'PUT /journeys/trial',
      body: {
        stages: [
          { name: 'Signed up', on: 'user.created' },
          { name: 'First project', on: 'project.created' },
          { name: 'Invited a teammate', on: 'member.invited' },
        ],
      },
      status: '200 OK',
      response: { data: { type: 'journeys', id: 'trial', attributes: { stages: 3 } } },
    },
    {
      title: 'Record an event',
      text: 'One line in your app. The block moves the user to the stage it belongs to.',
      request: 'POST /journeys/trial/events',
      body: { user: 'usr_88', event: 'project.created' },
      status: '202 Accepted',
      response: {
        data: { type: 'travelers', id: 'usr_88', attributes: { stage: 'First project', step: 2 } },
      },
    },
    {
      title: 'Read the funnel',
      text: 'How many users reach each stage, and how long they take.',
      request: 'GET /journeys/trial/funnel?days=30',
      status: '200 OK',
      response: {
        data: [
          { stage: 'Signed up', users: 240 },
          { stage: 'First project', users: 156, median_hours: 3 },
          { stage: 'Invited a teammate', users: 61, median_hours: 52 },
        ],
      },
    },
    {
      title: 'Find who is stuck',
      text: 'Users who stay in one stage for too long. Send them a hand, not a newsletter.',
      request: 'GET /journeys/trial/users?stage=1&longer_than=3d',
      status: '200 OK',
      response: {
        data: [{ type: 'travelers', id: 'usr_91', attributes: { stage: 'Signed up', days: 4 } }],
        meta: { total: 1 },
      },
    },
  ],
  screen: {
    lead: 'Where people stop is where you work next.',
    title: 'Trial · last 30 days',
    rows: [
      { text: 'Signed up', value: '240', share: 100 },
      { text: 'First project', value: '156', share: 65 },
      { text: 'Invited a teammate', value: '61', share: 25 },
    ],
  },
  related: {
    onboarding: 'Turn the first stages into steps that users can see.',
    rewards: 'Give points when a user reaches a stage.',
    auth: 'Each traveler is a user or a guest of Auth.',
  },
  questions: [
    [
      'Is this analytics?',
      'It answers one question, for each user: how far along are they? Page views stay in your analytics.',
    ],
    ['Can a user be on several journeys?', 'Yes. A trial, a course and a purchase are three journeys.'],
  ],
});
