import { outside, overlapping, reservedForOthers } from './reservations.ts';

const careers = { app: 'mfe-careers', owner: 'people', paths: ['/careers/*', '/jobs'] };
const home = { app: 'mfe-home', owner: 'growth', paths: ['/', '*', '/home'] };
const apps = [careers, home];

test('a claim is reserved for another app, never for the app itself', () => {
  expect(reservedForOthers('mfe-other', ['/careers/a', '/other', '*'], apps)).toEqual([
    { wanted: '/careers/a', pattern: '/careers/*', owner: careers },
    { wanted: '*', pattern: '*', owner: home },
  ]);
  expect(reservedForOthers('mfe-careers', ['/careers/a', '/jobs'], apps)).toEqual([]);
});

test('a pattern overlaps with narrower and wider patterns', () => {
  const wants = (paths: string[]) =>
    overlapping({ app: 'mfe-other', owner: 'x', paths }, apps).map(({ wanted, pattern }) => [
      wanted,
      pattern,
    ]);
  expect(wants(['/jobs/*'])).toEqual([['/jobs/*', '/jobs']]);
  expect(wants(['/careers/teams/*', '/careers'])).toEqual([
    ['/careers/teams/*', '/careers/*'],
    ['/careers', '/careers/*'],
  ]);
  expect(wants(['/other/*', '/homes'])).toEqual([]);
  expect(overlapping(careers, apps)).toEqual([]);
});

test('finds claims outside of a reservation', () => {
  expect(outside(['/careers', '/careers/a', '/jobs', '/jobs/a', '/'], careers.paths)).toEqual([
    '/jobs/a',
    '/',
  ]);
});
