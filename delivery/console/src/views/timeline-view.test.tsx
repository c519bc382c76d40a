import type { Health, TimelineEntry } from '@site/contract/registry-calls/view.calls';
import { screen, within } from '@testing-library/react';
import { renderConsole } from '../testing/render-console.tsx';
import { bad, good } from '../testing/sample-answers.ts';
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
  around: [{ app: 'mfe-blocks', before: some, after: some }],
  ...over,
});

/** What the only release says of the health around it. */
async function around(over: Partial<TimelineEntry>): Promise<string | null | undefined> {
  renderConsole(<TimelineView />, {
    readTimeline: () => ({ next: null, releases: [entry('r2', over)] }),
  });
  const release = (await screen.findByText('a new price list')).closest('li') as HTMLElement;
  return within(release).getAllByRole('listitem').at(-1)?.textContent;
}

test('each release says how what it changed did before and after', async () => {
  expect(await around({})).toBe(
    'mfe-blocks: 20 faults per 1,000 of 200 views, LCP 1,800 ms → 20 faults per 1,000 of 200 views, LCP 1,800 ms',
  );
});

test('what follows a canary is said to be of its visitors alone', async () => {
  expect(await around({ canary: true })).toMatch(/ → in the canary 20 faults per 1,000 of 200 views/);
});

test('where there is no figure it says why', async () => {
  expect(await around({ around: [{ app: 'mfe-blocks', before: some, after: none }] })).toMatch(
    / → no views counted$/,
  );
});

test('an app that was not there before, or is not after, has none', async () => {
  expect(
    await around({
      changes: [{ app: 'mfe-blocks', from: null, to: bad }],
      around: [{ app: 'mfe-blocks', before: none, after: some }],
    }),
  ).toMatch(/^mfe-blocks: not there → 20 faults/);
});
