import type { Health, TimelineEntry } from '@site/contract/registry-calls/view.calls';
import { act, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { renderConsole } from '../testing/render-console.tsx';
import { bad, channelAnswer, good } from '../testing/sample-answers.ts';
import { TimelineView } from './timeline-view.tsx';

const none: Health = { views: 0, faults: null, forms: { sent: 0, failed: 0 }, lcp: null, inp: null };
const some: Health = { ...none, views: 200, faults: { rate: 0.02, low: 0.01, high: 0.03 }, lcp: 1_800 };

const entry = (id: string, over: Partial<TimelineEntry>): TimelineEntry => ({
  id,
  kind: 'activate',
  at: '2026-11-22T12:00:00.000Z',
  by: 'Tom',
  guard: false,
  reason: 'a new price list',
  parent: null,
  canary: false,
  revoked: false,
  configuration: false,
  changes: [{ app: 'mfe-blocks', from: good, to: bad }],
  retirements: [],
  around: [{ app: 'mfe-blocks', before: some, after: some }],
  ...over,
});

/** Renders one release with this health. */
async function around(over: Partial<TimelineEntry>): Promise<(string | null)[]> {
  renderConsole(<TimelineView />, {
    readTimeline: () => ({ next: null, releases: [entry('r2', over)] }),
  });
  const release = (await screen.findByText('a new price list')).closest('li') as HTMLElement;
  return within(release)
    .getAllByRole('listitem')
    .slice(1)
    .map(({ textContent }) => textContent);
}

const measured = '20 faults per 1,000 of 200 views, LCP 1,800 ms';

test('each release shows the health of its changes before and after', async () => {
  expect(await around({})).toEqual([`mfe-blocks before: ${measured}`, `after: ${measured}`]);
});

test("health after a canary is labeled as its visitors' health", async () => {
  expect(await around({ canary: true })).toEqual([
    `mfe-blocks before: ${measured}`,
    `in the canary: ${measured}`,
  ]);
});

test('missing health has an explanation', async () => {
  expect(await around({ around: [{ app: 'mfe-blocks', before: some, after: none }] })).toEqual([
    `mfe-blocks before: ${measured}`,
    'after: no views',
  ]);
});

test('an app that was added or removed has no comparison', async () => {
  const changes = [{ app: 'mfe-blocks', from: null, to: bad }];
  const health = { app: 'mfe-blocks', before: none, after: some };
  expect(await around({ changes, around: [health] })).toEqual([
    'mfe-blocks before: not there',
    `after: ${measured}`,
  ]);
});

test('the state of a retired app is shown even without a version change', async () => {
  const retirements = [{ app: 'mfe-careers', is: 'retired' as const, to: '/about-us' }];
  renderConsole(<TimelineView />, {
    readTimeline: () => ({ next: null, releases: [entry('r2', { changes: [], around: [], retirements })] }),
  });
  expect(
    await screen.findByText('mfe-careers was retired: its paths redirect to /about-us'),
  ).toBeInTheDocument();
});

test('only the live release and the running canary are labeled as such', async () => {
  const releases = [
    entry('r14', { canary: true }),
    entry('r13', { canary: true }),
    entry('r12', { kind: 'rollback' }),
  ];
  const answer = channelAnswer();
  const state = {
    ...answer.state,
    live: 'r12',
    canaries: [{ release: 'r13', app: 'mfe-blocks', share: 10 }],
  };
  renderConsole(<TimelineView />, {
    readTimeline: () => ({ next: null, releases }),
    readChannel: () => ({ ...answer, state }),
  });
  for (const [badge, release] of [
    ['live', 'r12'],
    ['running', 'r13'],
  ] as const)
    expect((await screen.findByText(badge)).closest('li')).toHaveAttribute('id', release);
});

function Address() {
  return <output aria-label="address">{useLocation().pathname}</output>;
}

test('the comparison uses the selected releases, even after one left the list', async () => {
  let ids = ['r3', 'r2', 'r1'];
  const { reads } = renderConsole(
    <>
      <TimelineView />
      <Address />
    </>,
    { readTimeline: () => ({ next: null, releases: ids.map((id) => entry(id, {})) }) },
  );
  const user = userEvent.setup();
  await user.selectOptions(await screen.findByLabelText('From'), 'r1');
  ids = ['r4', 'r3', 'r2'];
  await act(() => reads.refresh());
  await user.selectOptions(screen.getByLabelText('To'), 'r4');
  expect(screen.getByLabelText('From')).toHaveDisplayValue('r1');
  await user.click(screen.getByRole('button', { name: 'Show the difference' }));
  expect(screen.getByLabelText('address')).toHaveTextContent('/timeline/r1/r4');
});

test('the timeline of one app keeps its filter', async () => {
  renderConsole(
    <TimelineView />,
    { readTimeline: () => ({ next: null, releases: [entry('r2', {})] }) },
    { path: '/?app=mfe-blocks&release=r2' },
  );
  expect(await screen.findByText(/Only releases that change mfe-blocks/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Show all' })).toHaveAttribute('href', '/timeline');
  expect(screen.getByRole('link', { name: 'Show the newest' })).toHaveAttribute(
    'href',
    '/timeline?app=mfe-blocks',
  );
});

test.each([
  ['/', 'No release yet.'],
  ['/?release=r0', 'No matching release. Show all'],
])('an empty timeline at %s shows: %s', async (path, says) => {
  renderConsole(<TimelineView />, { readTimeline: () => ({ next: null, releases: [] }) }, { path });
  expect((await screen.findByText(/^No (matching )?release/)).textContent).toBe(says);
});
