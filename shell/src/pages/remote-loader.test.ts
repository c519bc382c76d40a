import { createFederationLoader, requiredIntegrity } from './remote-loader.ts';

const build = { version: '1', entry: '/assets/mfe-a/entry.js', scripts: [] };

test.each(['', 'md5-AAAA', 'sha384-', `sha384-${'A'.repeat(63)}`, `sha384-${'A'.repeat(64)} x`])(
  'a remote whose integrity is unknown, or nothing that a browser checks, is not loaded: "%s"',
  (integrity) => {
    expect(() => requiredIntegrity({ ...build, integrity })).toThrow(
      '/assets/mfe-a/entry.js is not loaded: its integrity is not known.',
    );
  },
);

test('an entry that nobody registered is not loaded', () => {
  expect(() => requiredIntegrity(undefined)).toThrow('its integrity is not known');
});

test('only a build from the developer of a preview needs none', () => {
  const integrity = `sha384-${'A'.repeat(64)}`;
  expect(requiredIntegrity({ ...build, integrity })).toBe(integrity);
  expect(requiredIntegrity({ ...build, integrity: '', dev: true })).toBe('');
});

test('another build of a remote does not find the chunks of the one before, whichever bundler wrote them', () => {
  Reflect.set(globalThis, 'SHARED_VERSIONS', {});
  const lists = ['webpackChunkmfe_a', 'rspackChunkmfe_a'];
  for (const name of lists) Reflect.set(globalThis, name, [[['home'], {}]]);
  createFederationLoader(new Map()).use('mfe-a', { ...build, integrity: '' });
  expect(lists.filter((name) => name in globalThis)).toEqual([]);
  Reflect.deleteProperty(globalThis, 'SHARED_VERSIONS');
});
