import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Submission } from '@site/contract/registry-calls/inbox.calls';
import { submissionsCsv } from '@site/contract/inbox-export';
import { CallError } from '../data/call-error.ts';
import { reader, renderConsole, type RegistryAnswers } from '../testing/render-console.tsx';
import { InboxView } from './inbox-view.tsx';

const submission = (id: string, more: Partial<Submission> = {}): Submission => ({
  id,
  form: 'partner-application',
  email: `${id}@example.com`,
  fields: { first_name: 'Ada' },
  visitor: '',
  verifiedBy: 'captcha',
  sentAt: '2026-03-01T12:00:00.000Z',
  state: 'new',
  markedBy: null,
  markedAt: null,
  removeAt: null,
  ...more,
});
const counted = (form: string, waiting: number) => ({
  form,
  title: form === 'partner-application' ? 'Apply as a partner' : form,
  new: waiting,
  handled: 1,
  spam: 2,
  newestAt: null,
});

let asked: [name: string, sent: unknown][] = [];
const answers = (more: RegistryAnswers = {}): RegistryAnswers => ({
  countSubmissions: () => ({ forms: [counted('mfe-careers/apply', 0), counted('partner-application', 2)] }),
  listSubmissions(sent) {
    asked.push(['list', sent.query]);
    return sent.query.before === undefined
      ? { submissions: [submission('ada'), submission('bob')], next: '1~x' }
      : { submissions: [submission('eve')], next: null };
  },
  showSubmission({ params }) {
    asked.push(['show', params]);
    return submission(params.submission);
  },
  markSubmission({ params, body }) {
    asked.push(['mark', { ...params, ...body }]);
    return submission(params.submission, {
      state: body.state,
      markedBy: 'Olga',
      markedAt: '2026-03-02T12:00:00.000Z',
    });
  },
  ...more,
});
const path = '/inbox?form=partner-application';
const list = async () => within(await screen.findByRole('region', { name: 'Submissions, newest first' }));
const findRow = async (email: string) =>
  within((await list()).getByRole('row', { name: new RegExp(`^${email}`) }));

beforeEach(() => {
  asked = [];
});

test('shows each form with its new submissions, and reads none by itself', async () => {
  renderConsole(<InboxView />, answers(), { path: '/inbox' });
  const forms = within(await screen.findByRole('region', { name: 'Forms and their submissions' }));
  expect(forms.getByRole('row', { name: 'partner-application Apply as a partner 2 1 2 none' })).toBeVisible();
  expect(forms.getByRole('link', { name: 'mfe-careers/apply' })).toHaveAttribute(
    'href',
    '/inbox?form=mfe-careers%2Fapply',
  );
  expect(asked).toEqual([]);
});

test('reads once despite changes, and again on request', async () => {
  const { reads } = renderConsole(<InboxView />, answers(), { path });
  await list();
  await act(() => reads.refresh());
  expect(asked).toEqual([['list', { form: 'partner-application', state: 'new', limit: 50 }]]);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Show older' }));
  expect(await findRow('eve@example.com')).toBeTruthy();
  expect(asked[1]).toEqual(['list', { form: 'partner-application', state: 'new', limit: 50, before: '1~x' }]);
  expect(screen.queryByRole('button', { name: 'Show older' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Look again' }));
  await waitFor(() => expect(screen.queryByText('eve@example.com')).not.toBeInTheDocument());
  expect(asked).toHaveLength(3);
});

test('marks a submission as handled, shows by whom, and can be undone', async () => {
  renderConsole(<InboxView />, answers(), { path });
  const user = userEvent.setup();
  await user.click(
    (await findRow('ada@example.com')).getByRole('button', { name: 'Handled ada@example.com' }),
  );
  expect(await screen.findByText('The submission of ada@example.com is handled.')).toBeInTheDocument();
  const ada = await findRow('ada@example.com');
  expect(ada.getByText(/by Olga/)).toBeVisible();
  expect(ada.queryByRole('button', { name: /^Handled/ })).not.toBeInTheDocument();
  await user.click(ada.getByRole('button', { name: /^New again/ }));
  await user.click((await findRow('bob@example.com')).getByRole('button', { name: /^Spam/ }));
  await (await findRow('bob@example.com')).findByRole('button', { name: /^Not spam/ });
  expect(asked.filter(([name]) => name === 'mark').map(([, sent]) => sent)).toEqual([
    { submission: 'ada', state: 'handled' },
    { submission: 'ada', state: 'new' },
    { submission: 'bob', state: 'spam' },
  ]);
});

test('shows foreign text as text, with invisible characters escaped', async () => {
  const fields = {
    name: '<img src=x onerror="alert(1)">',
    file: '\u202egpj.exe',
    message: 'one\nState: handled\u0007',
    list: ['a', 'b'],
  };
  const hostile = submission('x', { email: '\u202eadmin@example.com', fields });
  const { container } = renderConsole(
    <InboxView />,
    answers({
      listSubmissions: () => ({ submissions: [hostile], next: null }),
      showSubmission: () => hostile,
    }),
    { path },
  );
  await userEvent.click((await list()).getByRole('button', { name: /^Show/ }));
  const shown = await screen.findByRole('region', { name: 'The submission' });
  expect(within(shown).getByRole('heading')).toHaveFocus();
  const texts: unknown = Object.fromEntries(
    [...shown.querySelectorAll('dl > div')].map((pair) => [
      pair.querySelector('dt')?.textContent,
      pair.querySelector('dd')?.textContent,
    ]),
  );
  expect(texts).toMatchObject({
    name: '<img src=x onerror="alert(1)">',
    file: '\\u202egpj.exe',
    message: 'one\nState: handled\\u0007',
    list: 'a; b',
    State: 'new',
  });
  expect(container.querySelector('img')).toBeNull();
  expect(container.textContent).not.toContain('\u202e');
  await userEvent.click(within(shown).getByRole('button', { name: 'Close' }));
  expect(shown).not.toBeInTheDocument();
});

test('saves a whole form, page by page, without spreadsheet formulas', async () => {
  const saved: { name: string; type: string; text: Promise<string> }[] = [];
  const blobs: Blob[] = [];
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => `blob:${blobs.push(blob)}`,
    revokeObjectURL: jest.fn(),
  });
  const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
    this: HTMLAnchorElement,
  ) {
    const blob = blobs.at(-1) as Blob;
    saved.push({ name: this.download, type: blob.type, text: readBlobText(blob) });
  });
  renderConsole(
    <InboxView />,
    answers({
      listSubmissions({ query }) {
        asked.push(['list', query]);
        return query.before === undefined && query.look === 'export'
          ? { submissions: [submission('ada', { fields: { name: '=1+1' } })], next: '1~x' }
          : { submissions: [submission('bob')], next: null };
      },
    }),
    { path: `${path}&state=all` },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Save all as CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  await userEvent.click(screen.getByRole('button', { name: 'Save all as JSON' }));
  await waitFor(() => expect(saved).toHaveLength(2));
  expect(saved.map(({ name, type }) => [name, type])).toEqual([
    ['partner-application-all.csv', 'text/csv'],
    ['partner-application-all.json', 'application/json'],
  ]);
  const csv = (await saved[0]?.text) ?? '';
  // The command line prints the same text, without the byte order mark.
  expect(csv).toBe(
    `\uFEFF${submissionsCsv([submission('ada', { fields: { name: '=1+1' } }), submission('bob')])}`,
  );
  expect(csv).toContain(`"'=1+1"`);
  expect(csv).toContain('bob@example.com');
  expect(JSON.parse((await saved[1]?.text) ?? '')).toMatchObject({
    submissions: [{ id: 'ada' }, { id: 'bob' }],
  });
  expect(asked.filter(([, sent]) => (sent as { look?: string }).look === 'export')).toHaveLength(4);
  click.mockRestore();
});

const readBlobText = (blob: Blob): Promise<string> =>
  new Promise((resolve) => {
    const file = new FileReader();
    // Other decoders drop the byte order mark.
    file.onload = () => resolve(Buffer.from(file.result as ArrayBuffer).toString());
    file.readAsArrayBuffer(blob);
  });

test('says why nothing is shown, or was not marked', async () => {
  const away = new CallError('refused', 'inbox_unavailable', 'Submissions cannot be read now.');
  const { unmount } = renderConsole(
    <InboxView />,
    answers({ listSubmissions: () => Promise.reject(away), countSubmissions: () => Promise.reject(away) }),
    { path },
  );
  expect(await screen.findAllByText('Submissions cannot be read now.')).toHaveLength(2);
  unmount();
  renderConsole(<InboxView />, answers({ markSubmission: () => Promise.reject(away) }), { path });
  await userEvent.click((await findRow('ada@example.com')).getByRole('button', { name: /^Handled/ }));
  expect(await screen.findByText('Submissions cannot be read now.')).toBeVisible();
  expect((await findRow('ada@example.com')).getByText('new')).toBeVisible();
});

test('a mark with a lost response is not reported as rejected', async () => {
  const lost = new CallError('no-answer', 'no_answer', 'The registry does not answer.');
  renderConsole(<InboxView />, answers({ markSubmission: () => Promise.reject(lost) }), { path });
  await userEvent.click((await findRow('ada@example.com')).getByRole('button', { name: /^Handled/ }));
  expect(await screen.findByRole('alert')).toHaveTextContent('No response.The registry does not answer.');
});

test('without its scope, sends no requests', () => {
  renderConsole(<InboxView />, {}, { path, session: reader });
  expect(screen.getByText('Needs inbox; your token has read.')).toBeVisible();
});

test('the focus follows the user: after marking, and after closing a submission', async () => {
  renderConsole(<InboxView />, answers(), { path });
  const user = userEvent.setup();
  await user.click((await findRow('ada@example.com')).getByRole('button', { name: /^Handled/ }));
  const show = (await findRow('ada@example.com')).getByRole('button', { name: /^Show/ });
  await waitFor(() => expect(show).toHaveFocus());
  await user.click(show);
  await screen.findByRole('region', { name: 'The submission' });
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(show).toHaveFocus();
});

test('of two concurrent requests, the last one is shown', async () => {
  const late: (() => void)[] = [];
  renderConsole(
    <InboxView />,
    answers({
      showSubmission: async ({ params }) => {
        if (params.submission === 'ada') await new Promise<void>((resolve) => late.push(resolve));
        return submission(params.submission, { fields: { first_name: `of ${params.submission}` } });
      },
    }),
    { path },
  );
  const user = userEvent.setup();
  await user.click((await findRow('ada@example.com')).getByRole('button', { name: /^Show/ }));
  await user.click((await findRow('bob@example.com')).getByRole('button', { name: /^Show/ }));
  expect(await screen.findByText('of bob')).toBeInTheDocument();
  await act(async () => {
    for (const answer of late) answer();
    await new Promise((resolve) => setTimeout(resolve, 0));
  });
  expect(screen.getByText('of bob')).toBeInTheDocument();
  expect(late).toHaveLength(1);
});
