import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { AnswerTo } from '../data/client.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { AuditView } from './audit-view.tsx';

const event = (sequence: number): AnswerTo<'listAudit'>['events'][number] => ({
  sequence,
  at: '2026-11-22T12:00:00.000Z',
  by: 'Olga',
  action: 'channel.frozen',
  subject: 'production',
  details: { reason: '<img src=x onerror="alert(1)">' },
  hash: 'h',
});

test('older entries have their own URL', async () => {
  renderConsole(
    <AuditView />,
    { listAudit: () => ({ events: Array.from({ length: 500 }, (_, index) => event(1_000 - index)) }) },
    { path: '/?by=Olga' },
  );
  expect(await screen.findByRole('link', { name: 'Show older' })).toHaveAttribute(
    'href',
    '/audit?by=Olga&before=501',
  );
  expect(screen.getAllByText('reason: <img src=x onerror="alert(1)">')).toHaveLength(500);
});

test('older entries link back to the newest', async () => {
  renderConsole(<AuditView />, { listAudit: () => ({ events: [event(7)] }) }, { path: '/?before=8' });
  expect(await screen.findByRole('link', { name: 'Show the newest' })).toHaveAttribute('href', '/audit');
});

test('after filtering by keyboard, the focus stays on the button next to the results', async () => {
  const asked: unknown[] = [];
  renderConsole(<AuditView />, {
    listAudit: ({ query }) => {
      asked.push(query?.by);
      return { events: [event(7)] };
    },
  });
  const user = userEvent.setup();
  await user.type(screen.getByLabelText(/^By/), 'Olga{Enter}');
  await waitFor(() => expect(asked.at(-1)).toBe('Olga'));
  expect(screen.getByLabelText(/^By/)).toHaveValue('Olga');
  expect(screen.getByRole('button', { name: 'Show' })).toHaveFocus();
});

test('the details of an entry are shown as text', async () => {
  const details = {
    reason: 'a new price list',
    parent: null,
    changes: [{ to: '1.0.0-b', app: 'mfe-blocks', from: null }],
    reserved: ['/blocks', '/blocks/*'],
    provenance: { run: null, commit: 'abc', verified: false },
  };
  renderConsole(<AuditView />, { listAudit: () => ({ events: [{ ...event(7), details }] }) });
  expect(
    await screen.findByText(
      'reason: a new price list; changes: mfe-blocks none → 1.0.0-b; reserved: /blocks, /blocks/*; provenance: (commit: abc, verified: false)',
    ),
  ).toBeInTheDocument();
});
