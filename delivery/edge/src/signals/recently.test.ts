import { createRecently } from './recently.ts';
import { REPORT_TOKEN_MS } from '@site/contract/signals/report-limits';

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
