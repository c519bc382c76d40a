import type { BootRemote } from '@site/contract';
import { createFederationLoader, requiredIntegrity } from './remote-loader.ts';

const build = { version: '1', entry: '/assets/mfe-a/entry.js', scripts: [] };

test.each(['', 'md5-AAAA', 'sha384-', `sha384-${'A'.repeat(63)}`, `sha384-${'A'.repeat(64)} x`])(
  'a remote whose integrity is unknown, or nothing that a browser checks, is not loaded: "%s"',
  (integrity) => {
    expect(() => requiredIntegrity({ ...build, integrity })).toThrow(
      '/assets/mfe-a/entry.js has no integrity.',
    );
  },
);

test('an entry that nobody registered is not loaded', () => {
  expect(() => requiredIntegrity(undefined)).toThrow('has no integrity');
});

test('only a build from the developer of a preview needs none', () => {
  const integrity = `sha384-${'A'.repeat(64)}`;
  expect(requiredIntegrity({ ...build, integrity })).toBe(integrity);
  expect(requiredIntegrity({ ...build, integrity: '', dev: true })).toBe('');
});

/** The loader, whose build defines the versions of shared modules. */
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

test('another build of a remote does not find the chunks of the one before, whichever bundler wrote them', () => {
  createLoader().use('mfe-a', { ...build, integrity: '' });
  expect(existingLists()).toEqual([]);
});

test('a new container of the same build shares the chunks, so that pages of the old one still receive theirs', () => {
  const live = { ...build, name: 'mfe-a', integrity: '' };
  const loader = createLoader(live);
  loader.use('mfe-a', live);
  expect(existingLists()).toEqual(lists);
  loader.use('mfe-a', { ...build, entry: '/assets/mfe-a/last-good.js', integrity: '' });
  expect(existingLists()).toEqual([]);
});

test('a build from the machine of a developer shares no chunks: they change under the same address', () => {
  const live = { ...build, name: 'mfe-a', integrity: '', dev: true as const };
  createLoader(live).use('mfe-a', live);
  expect(existingLists()).toEqual([]);
});
