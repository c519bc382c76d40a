import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'rewards',
  lead: 'Points, levels and perks for the users who stay. Every point has a reason you can look up.',
  description:
    'The Rewards Block keeps points and perks behind REST APIs: set rules, give points, read a balance, redeem a perk, all in a ledger that adds up.',
  calls: [
    {
      title: 'Set a rule',
      text: 'A rule says which event earns how many points, and how often.',
      request: 'PUT /rewards/rules/first-review',
      body: { event: 'review.posted', points: 50, once_per: 'user' },
      status: '200 OK',
      response: { data: { type: 'rules', id: 'first-review', attributes: { points: 50 } } },
    },
    {
      title: 'Report an event',
      text: 'The key makes it safe to send twice: points are given once.',
      request: 'POST /rewards/events',
      body: { user: 'usr_88', event: 'review.posted', key: 'review-311' },
      status: '201 Created',
      response: {
        data: { type: 'entries', id: 'ent_702', attributes: { points: 50, balance: 320 } },
      },
    },
    {
      title: 'Read the balance',
      text: 'With the level, and what’s missing for the next one.',
      request: 'GET /rewards/users/usr_88',
      status: '200 OK',
      response: {
        data: {
          type: 'balances',
          id: 'usr_88',
          attributes: { points: 320, level: 'Silver', to_next: 180 },
        },
      },
    },
    {
      title: 'Redeem a perk',
      text: 'The block takes the points and answers with a code. Not enough points is an error, never a negative balance.',
      request: 'POST /rewards/users/usr_88/redemptions',
      body: { perk: 'free-shipping' },
      status: '201 Created',
      response: {
        data: { type: 'redemptions', id: 'red_15', attributes: { code: 'SHIP-8KQ2', balance: 120 } },
      },
    },
  ],
  screen: {
    lead: 'A balance that people can read, and trust.',
    title: 'Your points · 320',
    rows: [
      { text: 'Silver', note: '180 points to Gold', value: '64 %', share: 64 },
      { text: 'First review', note: 'March 4', value: '+50' },
      { text: 'Free shipping', note: 'costs 200 points', value: 'Redeem' },
    ],
  },
  related: {
    journey: 'Give points when a user reaches a stage.',
    sales: 'Points for orders, perks at checkout.',
    university: 'A badge for a finished course.',
  },
  questions: [
    ['Can points expire?', 'Yes. Give a rule a lifetime, and the ledger shows when points run out.'],
    [
      'Can I correct a mistake?',
      'Add an entry with a reason. Entries are never edited, so the history stays honest.',
    ],
  ],
});
