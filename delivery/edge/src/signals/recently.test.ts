import { createRecently } from './recently.ts';
import { TOKEN_MS } from './token.ts';

let clock: number;
beforeEach(() => (clock = 0));
const now = () => clock;

test('what is remembered stays for as long as a token can be good, and is forgotten after twice as long', () => {
  const recently = createRecently<number>(now, 10);
  clock = TOKEN_MS - 1;
  recently.set('a', 1);
  clock += TOKEN_MS - 1;
  expect(recently.get('a')).toBe(1);
  clock += 2 * TOKEN_MS;
  expect(recently.get('a')).toBeUndefined();
});

test('past its bound what is new is not remembered, and what is known is changed still', () => {
  const recently = createRecently<number>(now, 2);
  expect([recently.set('a', 1), recently.set('b', 1), recently.set('c', 1)]).toEqual([true, true, false]);
  expect([recently.set('a', 2), recently.get('a'), recently.get('c')]).toEqual([true, 2, undefined]);
  clock = 2 * TOKEN_MS;
  expect([recently.set('c', 1), recently.get('a')]).toEqual([true, undefined]);
});
