import { without } from './without.ts';

test('what is known is left out, and the rest is in order', () => {
  const all = ['/c', '/a', '/b'];
  expect(without(all, ['/b', '/d'])).toEqual(['/a', '/c']);
  expect(without(all, [])).toEqual(['/a', '/b', '/c']);
  expect(all).toEqual(['/c', '/a', '/b']);
});
