import { haveSameRoutes, conflictsWithin, pathConflicts, redirectLoop } from './path-claims.ts';
import { remoteManifest, shellManifest } from '../testing/manifests.ts';

const blocks = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'] });

test('a path that another remote serves is a conflict that names both', () => {
  const partners = remoteManifest('mfe-partners', { paths: ['/partners', '/blocks'] });
  expect(pathConflicts(partners, [shellManifest(), blocks])).toEqual([
    { path: '/blocks', owner: 'mfe-blocks', claimant: 'mfe-partners' },
  ]);
});

test('a new version of a remote may serve the paths of its older version', () => {
  expect(pathConflicts(remoteManifest('mfe-blocks', { paths: ['/blocks'], contents: 2 }), [blocks])).toEqual(
    [],
  );
});

test("a redirect's source counts as a claim, against pages as well as against redirects", () => {
  const claim = remoteManifest('mfe-partners', {
    paths: ['/partners'],
    redirects: [{ from: '/blocks', to: '/partners' }],
  });
  expect(pathConflicts(claim, [blocks])).toHaveLength(1);
  const other = remoteManifest('mfe-policies', { paths: ['/x'], redirects: [{ from: '*', to: '/x' }] });
  const third = remoteManifest('mfe-cases', { paths: ['/y'], redirects: [{ from: '*', to: '/y' }] });
  expect(conflictsWithin([other, third])).toEqual([
    { path: '*', owner: 'mfe-policies', claimant: 'mfe-cases' },
  ]);
});

test('redirects that reach a page, directly or through others, are not a loop', () => {
  const remote = remoteManifest('mfe-blocks', {
    paths: ['/blocks'],
    redirects: [
      { from: '/', to: '/old' },
      { from: '/old', to: '/blocks#auth' },
      { from: '*', to: '/blocks' },
    ],
  });
  expect(redirectLoop([remote])).toBeNull();
});

test('a redirect to an unknown path continues with "*"', () => {
  const remote = remoteManifest('mfe-blocks', {
    paths: ['/blocks'],
    redirects: [
      { from: '/a', to: '/gone' },
      { from: '*', to: '/blocks' },
    ],
  });
  expect(redirectLoop([remote])).toBeNull();
});

test('finds redirect loops', () => {
  const circle = [
    { from: '/a' as const, to: '/b' },
    { from: '/b' as const, to: '/a' },
  ];
  expect(redirectLoop([remoteManifest('mfe-blocks', { paths: ['/blocks'], redirects: circle })])).toBe('/a');
});

test('"*" that leads to a path without a page is a loop', () => {
  const remote = remoteManifest('mfe-blocks', {
    paths: ['/blocks'],
    redirects: [{ from: '*', to: '/home' }],
  });
  expect(redirectLoop([remote])).toBe('*');
});

test('each redirect is followed once, however long the chain is', () => {
  const length = 2000;
  const redirects = Array.from({ length }, (_, index) => ({
    from: `/r${index}` as const,
    to: index + 1 < length ? `/r${index + 1}` : '/blocks',
  }));
  const remote = remoteManifest('mfe-blocks', { paths: ['/blocks'], redirects });
  const look = jest.spyOn(Map.prototype, 'get');
  expect(redirectLoop([remote])).toBeNull();
  expect(look.mock.calls.filter(([key]) => String(key).startsWith('/r'))).toHaveLength(length);
  look.mockRestore();
});

test('versions are equivalent if neither their paths nor their redirects differ', () => {
  expect(haveSameRoutes(blocks, { ...blocks, version: '1.0.0-other' })).toBe(true);
  expect(haveSameRoutes(blocks, remoteManifest('mfe-blocks', { paths: ['/blocks'] }))).toBe(false);
  const led = remoteManifest('mfe-blocks', {
    paths: ['/blocks', '/blocks/auth'],
    redirects: [{ from: '/old', to: '/blocks' }],
  });
  expect(haveSameRoutes(blocks, led)).toBe(false);
});

test('checks a set of hundreds in linear time', () => {
  const set = Array.from({ length: 200 }, (_, index) =>
    remoteManifest(`mfe-r${index}`, { paths: [`/r${index}`] }),
  );
  const look = jest.spyOn(Map.prototype, 'set');
  expect(conflictsWithin(set)).toEqual([]);
  expect(look.mock.calls.filter(([key]) => String(key).startsWith('/r'))).toHaveLength(set.length);
  look.mockRestore();
});
