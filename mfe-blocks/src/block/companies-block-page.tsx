import { blockPage } from './block-page.tsx';

export default blockPage({
  slug: 'companies',
  lead: 'Give every customer account its own organization: teams, members and roles, without building a permission model first.',
  description:
    'The Companies Block stores organizations, their teams and their members behind REST APIs: create a company, invite people, change roles, list who belongs where.',
  calls: [
    {
      title: 'Create a company',
      text: 'The user who makes the call becomes its owner. Store your own reference with it, such as a customer number.',
      request: 'POST /companies',
      body: { name: 'Northwind Studio', reference: 'C-1042' },
      status: '201 Created',
      response: {
        data: {
          type: 'companies',
          id: 'cmp_7h2',
          attributes: { name: 'Northwind Studio', reference: 'C-1042', members: 1 },
        },
      },
    },
    {
      title: 'Invite a member',
      text: 'The block emails the invitation. Until it’s accepted, the member shows up as invited.',
      request: 'POST /companies/cmp_7h2/members',
      body: { email: 'grace@example.com', role: 'editor', team: 'Design' },
      status: '201 Created',
      response: {
        data: {
          type: 'members',
          id: 'mem_31',
          attributes: { email: 'grace@example.com', role: 'editor', status: 'invited' },
        },
      },
    },
    {
      title: 'List who belongs to it',
      text: 'Filter by team or role. Your frontend hides what a role can’t do; the block refuses it anyway.',
      request: 'GET /companies/cmp_7h2/members?team=Design',
      status: '200 OK',
      response: {
        data: [
          { type: 'members', id: 'mem_30', attributes: { name: 'Ada', role: 'owner' } },
          { type: 'members', id: 'mem_31', attributes: { name: 'Grace', role: 'editor' } },
        ],
        meta: { total: 2 },
      },
    },
    {
      title: 'Change a role',
      text: 'The change applies to the member’s next call. A company always keeps one owner.',
      request: 'PUT /companies/cmp_7h2/members/mem_31',
      body: { role: 'admin' },
      status: '200 OK',
      response: { data: { type: 'members', id: 'mem_31', attributes: { role: 'admin' } } },
    },
  ],
  screen: {
    lead: 'A team page is one list call and one form.',
    title: 'Northwind Studio · Members',
    rows: [
      { text: 'Ada', note: 'ada@example.com', value: 'Owner' },
      { text: 'Grace', note: 'grace@example.com', value: 'Admin' },
      { text: 'Alan', note: 'Invited', value: 'Editor' },
    ],
  },
  related: {
    auth: 'Members sign in with the users that Auth keeps.',
    onboarding: 'Lead the first member of a new company through its setup.',
    sales: 'Deals and orders belong to a company, not to one person.',
  },
  questions: [
    [
      'Can one user belong to several companies?',
      'Yes. The user is one record in Auth; each membership has its own role.',
    ],
    ['Can I define my own roles?', 'Yes. Owner is fixed; name the others after the jobs in your product.'],
    [
      'What happens when a member leaves?',
      'Delete the membership. The user stays, and so does everything they made for the company.',
    ],
  ],
});
