import { attackByOneAddress, type Attack } from './one-address.ts';

/** A small version of `npm run bench:guard`, which tries more rates. */
test.each<[Attack, 'live' | 'record', number]>([
  ['failed forms', 'live', 120],
  ['failed forms', 'record', 60],
  ['all of them', 'live', 60],
  ['all of them', 'record', 60],
])('one address never ends a version in an hour: %s, against the %s, %i views a minute', async (...of) => {
  const [attack, against, viewsPerMinute] = of;
  const { ended } = await attackByOneAddress({ attack, against, viewsPerMinute, minutes: 60, seed: 1 });
  expect(ended).toBeUndefined();
});
