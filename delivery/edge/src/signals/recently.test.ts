import { createRecently } from './recently.ts';
import { REPORT_TOKEN_MS } from '@site/contract/signals/report-limits';

let clock: number;
beforeEach(() => (clock = 0));
const now = () => clock;

test('what is remembered stays for as long as a token can be good, and is forgotten after twice as long', () => {
  const recently = createRecently(now, 10);
  clock = REPORT_TOKEN_MS - 1;
  recently.set('a', 1);
  clock += REPORT_TOKEN_MS - 1;
  expect(recently.get('a')).toBe(1);
  clock += 2 * REPORT_TOKEN_MS;
  expect(recently.get('a')).toBe(0);
});

test('past its bound what is new is not remembered, and what is known is changed still', () => {
  const recently = createRecently(now, 2);
  expect([recently.set('a', 1), recently.set('b', 1), recently.set('c', 1)]).toEqual([true, true, false]);
  expect([recently.set('a', 2), recently.get('a'), recently.get('c')]).toEqual([true, 2, 0]);
  clock = 2 * REPORT_TOKEN_MS;
  expect([recently.set('c', 1), recently.get('a')]).toEqual([true, 0]);
});
