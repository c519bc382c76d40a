import { createMemoryStore } from '../testing/memory-store.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { takeApart } from '@site/documents/boot-data';
import { retiredAddresses } from './retired-addresses.ts';

const parts = takeApart(createSampleRelease(createMemoryStore(), { id: 'r1' }));
const version = '1.0.0-000000000001';
const left = (retired: Record<string, { to: string | null; paths: string[] }>) =>
  retiredAddresses(
    {
      retired: Object.fromEntries(Object.entries(retired).map(([app, what]) => [app, { version, ...what }])),
    },
    parts,
  );

test('is empty for a release that retires nothing', () => {
  expect(retiredAddresses({}, parts)).toEqual({ redirects: [], gone: [] });
});

test('each address redirects to its target or is gone', () => {
  expect(
    left({
      'mfe-careers': { to: '/about-us#team', paths: ['/careers', '/jobs'] },
      'mfe-shop': { to: null, paths: ['/shop'] },
    }),
  ).toEqual({
    redirects: [
      { from: '/careers', to: '/about-us#team' },
      { from: '/jobs', to: '/about-us#team' },
    ],
    gone: ['/shop'],
  });
});

test('a live page takes precedence over a retired address', () => {
  expect(left({ 'mfe-old': { to: '/cases', paths: ['/about-us', '/company', '/', '/old'] } })).toEqual({
    redirects: [{ from: '/old', to: '/cases' }],
    gone: [],
  });
});

test('a target that was retired later redirects further; a missing target is gone', () => {
  expect(
    left({
      'mfe-one': { to: '/two', paths: ['/one'] },
      'mfe-two': { to: '/company', paths: ['/two'] },
      'mfe-three': { to: '/never', paths: ['/three'] },
      'mfe-four': { to: '/five', paths: ['/four'] },
      'mfe-five': { to: null, paths: ['/five'] },
    }),
  ).toEqual({
    redirects: [
      { from: '/one', to: '/about-us' },
      { from: '/two', to: '/about-us' },
    ],
    gone: ['/three', '/four', '/five'],
  });
});

test('a redirect loop is gone', () => {
  expect(
    left({ 'mfe-one': { to: '/two', paths: ['/one'] }, 'mfe-two': { to: '/one', paths: ['/two'] } }),
  ).toEqual({ redirects: [], gone: ['/one', '/two'] });
});
