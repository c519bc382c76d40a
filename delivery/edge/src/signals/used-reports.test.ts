import type { Report, SignalView } from '@site/contract/signals/report.schema';
import { outcome } from '../testing/signal-harness.ts';
import { REPORT_TOKEN_MS } from '@site/contract/signals/report-limits';
import { createUsedReports, createRecently } from './used-reports.ts';

const view: SignalView = {
  number: 0,
  route: '/',
  app: 'mfe-a',
  version: '1.0.0-0123456789ab',
  build: 'live',
};

test('remembers ten minutes of 1,000 views a second', () => {
  let clock = 0;
  const used = createUsedReports(() => clock);
  const report = outcome(view);
  const tell = (sent: number) => used.report(`token ${sent}`, `network ${sent % 50_000}`, report);
  let isAll = true;
  for (; clock < REPORT_TOKEN_MS; clock += 1) isAll &&= tell(clock) === 'new';
  expect(isAll).toBe(true);
  for (const sent of [0, 300_000, 599_999]) expect(tell(sent)).toBe('repeated');
});

test('a network adds thirty views and faults a minute, and later reports of its views still count', () => {
  let clock = 0;
  const used = createUsedReports(() => clock);
  const later: Report = { kind: 'outcome', view, stretch: 'later', age: 30_000, faulty: [] };
  const fault = { kind: 'error', app: 'mfe-a', message: 'x is undefined' } as const;
  const hundred = Array.from({ length: 100 }, (_, index) => `token ${index}`);
  const results = hundred.map((token) => used.report(token, 'a', outcome(view)));
  expect(results).toEqual(hundred.map((_, index) => (index < 30 ? 'new' : 'network')));
  expect(hundred.map((token) => used.fault(token, 'a', outcome(view), fault))).toEqual(results);
  expect(used.report('token 29', 'a', later)).toBe('new');
  expect([used.report('token 30', 'a', later), used.report('token 30', 'b', later)]).toEqual([
    'network',
    'new',
  ]);
  clock += 60_000;
  expect(used.report('token 30', 'a', outcome(view))).toBe('new');
});

test('of one network a hundred reports a minute are remembered, whatever its views of the minutes before have still to tell', () => {
  let clock = 0;
  const used = createUsedReports(() => clock);
  const told = { new: 0, network: 0, repeated: 0, full: 0 };
  for (let minute = 0; minute < 9; minute += 1, clock += 60_000)
    for (let index = 0; index < 30; index += 1) used.report(`token ${minute} ${index}`, 'a', outcome(view));
  for (let minute = 0; minute < 9; minute += 1)
    for (let index = 0; index < 30; index += 1)
      told[used.report(`token ${minute} ${index}`, 'a', { kind: 'vitals', view })] += 1;
  expect(told).toEqual({ new: 100, network: 170, repeated: 0, full: 0 });
  expect(used.report('token', 'b', outcome(view))).toBe('new');
});

test('each kind of report of a view is counted on its own, up to its limit', () => {
  const used = createUsedReports(() => 0);
  const kinds: Report[] = [
    outcome(view),
    { kind: 'outcome', view, stretch: 'later', age: 30_000, faulty: [] },
    { kind: 'vitals', view },
    { kind: 'experiment', view, reached: [] },
    { kind: 'form', view, sent: true },
    { kind: 'faults', view, faults: [{ kind: 'error', app: 'mfe-a', message: 'x' }] },
  ];
  const uses = [1, 2, 3, 4, 5, 6].map(() => kinds.map((report) => used.report('token', 'a', report)));
  const counted = kinds.map((_, kind) => uses.filter((round) => round[kind] === 'new').length);
  expect(counted).toEqual([1, 1, 1, 1, 5, 5]);
});

let clock: number;
beforeEach(() => (clock = 0));
const now = () => clock;

test('an entry is kept for the lifetime of a token, and forgotten after twice that time', () => {
  const recently = createRecently(now, 10);
  clock = REPORT_TOKEN_MS - 1;
  recently.set('a', 1);
  clock += REPORT_TOKEN_MS - 1;
  expect(recently.get('a')).toBe(1);
  clock += 2 * REPORT_TOKEN_MS;
  expect(recently.get('a')).toBe(0);
});

test('at the limit, new keys are dropped and known keys still updated', () => {
  const recently = createRecently(now, 2);
  expect([recently.set('a', 1), recently.set('b', 1), recently.set('c', 1)]).toEqual([true, true, false]);
  expect([recently.set('a', 2), recently.get('a'), recently.get('c')]).toEqual([true, 2, 0]);
  clock = 2 * REPORT_TOKEN_MS;
  expect([recently.set('c', 1), recently.get('a')]).toEqual([true, 0]);
});
