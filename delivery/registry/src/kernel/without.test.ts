import { without } from './without.ts';

test('returns unknown entries in order', () => {
  const all = ['/c', '/a', '/b'];
  expect(without(all, ['/b', '/d'])).toEqual(['/a', '/c']);
  expect(without(all, [])).toEqual(['/a', '/b', '/c']);
  expect(all).toEqual(['/c', '/a', '/b']);
});
