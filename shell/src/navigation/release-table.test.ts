import type { BootRemote, BootRoute, TableAnswer } from '@site/contract';
import { createReleaseTable } from './release-table.ts';

const remote = (name: string, version = 'one'): BootRemote => ({
  name,
  version,
  entry: `/assets/${name}/remoteEntry.${version}.js`,
  integrity: 'sha384-x',
  scripts: [],
});
const page = (path: string): BootRoute => ({ path, remote: 'mfe-a', module: './a' });
const home = page('/home');
const ofThisPage = { frame: 'frame', remotes: [remote('mfe-a')], routes: [home], redirects: [] };
const whole: TableAnswer = {
  release: 'r7',
  frame: 'frame',
  remotes: [{ ...remote('mfe-a'), lastGood: remote('mfe-a', 'zero') }, remote('mfe-b')],
  routes: [page('/home'), page('/blocks')],
  redirects: [{ from: '/old', to: '/blocks' }],
};
const at = (path: string) => new URL(path, 'https://site.test');

/** Each request gets the next response. */
function answerWith(...answers: (() => Promise<Response>)[]) {
  const fetched = jest.fn<Promise<Response>, [string, RequestInit]>(() => answers.shift()!());
  Object.defineProperty(globalThis, 'fetch', { value: fetched, configurable: true });
  return { fetched, urls: () => fetched.mock.calls.map(([url]) => url) };
}
const found = (value: unknown) => () =>
  Promise.resolve({ json: () => Promise.resolve(value) } as unknown as Response);
const offline = () => Promise.reject(new TypeError('Failed to fetch'));

test('the rest of the table is known after loading, and fetched once', async () => {
  const { urls } = answerWith(found(whole));
  const { complete, resolve, remotes } = createReleaseTable(ofThisPage);
  expect(resolve(at('/home')).route).toBe(home);
  expect(resolve(at('/old')).route).toBeUndefined();
  expect(remotes.has('mfe-b')).toBe(false);
  await Promise.all([complete(), complete()]);
  await complete();
  expect(urls()).toEqual(['/__site/state']);
  expect(resolve(at('/old')).route?.path).toBe('/blocks');
  expect(resolve(at('/home')).route).toBe(home);
  expect(remotes.get('mfe-a')?.lastGood?.version).toBe('zero');
  expect(remotes.get('mfe-b')).toEqual(remote('mfe-b'));
});

test('a hanging request times out', async () => {
  const timeout = jest.spyOn(AbortSignal, 'timeout');
  const { fetched } = answerWith(found(whole), found({ revoked: [] }));
  const { complete, isRevoked } = createReleaseTable(ofThisPage);
  await complete();
  await isRevoked();
  expect(timeout.mock.calls).toEqual([[10_000], [10_000]]);
  expect(fetched.mock.calls.map(([, { signal }]) => signal)).toEqual(
    timeout.mock.results.map(({ value }) => value as AbortSignal),
  );
});

test.each([
  ['another shell or configuration', { ...whole, frame: 'other' }],
  ['another version of its remote', { ...whole, remotes: [remote('mfe-a', 'two'), remote('mfe-b')] }],
  ['no version of its remote', { ...whole, remotes: [remote('mfe-b')] }],
])('a release with %s does not contain the document: the tab leaves it', async (_, other) => {
  const { urls } = answerWith(found(other));
  const { complete, resolve, remotes, isRevoked } = createReleaseTable(ofThisPage);
  await complete();
  expect([resolve(at('/home')).route, resolve(at('/blocks')).route]).toEqual([home, undefined]);
  expect([...remotes.keys()]).toEqual(['mfe-a']);
  await complete();
  expect([await isRevoked(), urls().length]).toEqual([true, 1]);
});

test('the tab keeps its first release, and asks whether that is revoked', async () => {
  const { urls } = answerWith(
    found(whole),
    found({ release: 'r8', revoked: [] }),
    found({ release: 'r8', revoked: ['r7'] }),
  );
  const { complete, isRevoked } = createReleaseTable(ofThisPage);
  await complete();
  expect([await isRevoked(), await isRevoked()]).toEqual([false, true]);
  expect(urls().slice(1)).toEqual(['/__site/state?release=r7', '/__site/state?release=r7']);
});

test('a tab without a table asks for it: its document is in the release that visitors get', async () => {
  answerWith(found(whole));
  const { isRevoked, resolve } = createReleaseTable(ofThisPage);
  expect(await isRevoked()).toBe(false);
  expect(resolve(at('/blocks')).route?.path).toBe('/blocks');
});

test('an error or an unreadable response is no answer', async () => {
  answerWith(
    offline,
    () => Promise.resolve({ json: () => Promise.reject(new SyntaxError('not JSON')) } as Response),
    found(whole),
    found(null),
  );
  const { isRevoked } = createReleaseTable(ofThisPage);
  await expect(isRevoked()).rejects.toThrow('Failed to fetch');
  await expect(isRevoked()).rejects.toThrow('not JSON');
  expect(await isRevoked()).toBe(false);
  await expect(isRevoked()).rejects.toThrow();
});

test("with a remote on a developer's machine, the document has the release, and the machine its own routes", async () => {
  const table = 'http://localhost:3001/__dev/table.json';
  const { remotes: _, ...dev } = { ...whole, routes: [page('/new')], redirects: [] };
  const { urls } = answerWith(found({ ...dev, remotes: [] }), found({ release: 'r7', revoked: [] }));
  const { complete, resolve, isRevoked } = createReleaseTable({ ...whole, dev: { release: 'r7', table } });
  await complete();
  expect([resolve(at('/new')).route?.path, resolve(at('/old')).route?.path]).toEqual(['/new', '/blocks']);
  expect(await isRevoked()).toBe(false);
  expect(urls()).toEqual([table, '/__site/state?release=r7']);
});

test('a document of the dev server has the whole table', async () => {
  const { urls } = answerWith();
  const { complete, resolve } = createReleaseTable({ ...whole, dev: { release: 'dev' } });
  await complete();
  expect([urls(), resolve(at('/old')).route?.path]).toEqual([[], '/blocks']);
});

test.each([
  ['cannot be reached', offline],
  ['is not JSON', () => Promise.resolve({ json: () => Promise.reject(new SyntaxError()) } as Response)],
])('a table that %s is retried on the next call', async (_, problem) => {
  const warn = jest.spyOn(console, 'warn').mockReturnValue();
  answerWith(problem, found(whole));
  const { complete, resolve } = createReleaseTable(ofThisPage);
  await complete();
  expect(resolve(at('/blocks')).route).toBeUndefined();
  expect(warn).toHaveBeenCalledWith('/__site/state could not be loaded.', expect.any(Error));
  await complete();
  expect(resolve(at('/blocks')).route?.path).toBe('/blocks');
});
