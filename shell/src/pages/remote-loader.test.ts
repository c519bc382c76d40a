import type { BootRemote } from '@site/contract';
import { createFederationLoader, requiredIntegrity } from './remote-loader.ts';

const build = { version: '1', entry: '/assets/mfe-a/entry.js', scripts: [] };

test.each(['', 'md5-AAAA', 'sha384-', `sha384-${'A'.repeat(63)}`, `sha384-${'A'.repeat(64)} x`])(
  'a remote with unknown or invalid integrity is not loaded: "%s"',
  (integrity) => {
    expect(() => requiredIntegrity({ ...build, integrity })).toThrow(
      '/assets/mfe-a/entry.js has no integrity.',
    );
  },
);

test('an unregistered entry is not loaded', () => {
  expect(() => requiredIntegrity(undefined)).toThrow('has no integrity');
});

test("only a preview's development build needs no integrity", () => {
  const integrity = `sha384-${'A'.repeat(64)}`;
  expect(requiredIntegrity({ ...build, integrity })).toBe(integrity);
  expect(requiredIntegrity({ ...build, integrity: '', dev: true })).toBe('');
});

/** A loader with the build-time versions of shared modules. */
function createLoader(...remotes: BootRemote[]) {
  Reflect.set(globalThis, 'SHARED_VERSIONS', {});
  try {
    return createFederationLoader(new Map(remotes.map((remote) => [remote.name, remote])));
  } finally {
    Reflect.deleteProperty(globalThis, 'SHARED_VERSIONS');
  }
}
const lists = ['webpackChunkmfe_a', 'rspackChunkmfe_a'];
const existingLists = () => lists.filter((name) => name in globalThis);

beforeEach(() => {
  for (const name of lists) Reflect.set(globalThis, name, [[['home'], {}]]);
});

test("another build of a remote does not find the previous build's chunks, with either bundler", () => {
  createLoader().use('mfe-a', { ...build, integrity: '' });
  expect(existingLists()).toEqual([]);
});

test('a new container of the same build shares the chunks, so that pages of the old one still receive them', () => {
  const live = { ...build, name: 'mfe-a', integrity: '' };
  const loader = createLoader(live);
  loader.use('mfe-a', live);
  expect(existingLists()).toEqual(lists);
  loader.use('mfe-a', { ...build, entry: '/assets/mfe-a/last-good.js', integrity: '' });
  expect(existingLists()).toEqual([]);
});

test('a development build shares no chunks, because they change under the same URL', () => {
  const live = { ...build, name: 'mfe-a', integrity: '', dev: true as const };
  createLoader(live).use('mfe-a', live);
  expect(existingLists()).toEqual([]);
});
