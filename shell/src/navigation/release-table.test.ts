import type { BootRemote, BootRoute, BootTable } from '@site/contract';
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
const table = { url: '/assets/release/table.1.json', integrity: 'sha384-t' };
const ofThisPage = { remotes: [remote('mfe-a')], routes: [home], redirects: [], table };
const whole: BootTable = {
  remotes: [remote('mfe-a'), remote('mfe-b')],
  routes: [page('/home'), page('/blocks')],
  redirects: [{ from: '/old', to: '/blocks' }],
};
const at = (path: string) => new URL(path, 'https://site.test');

/** Each request gets the next response. */
function answerWith(...answers: (() => Promise<Response>)[]) {
  const fetched = jest.fn<Promise<Response>, [string, RequestInit]>(() => answers.shift()!());
  Object.defineProperty(globalThis, 'fetch', { value: fetched, configurable: true });
  return fetched;
}
const found = (value: unknown) => () =>
  Promise.resolve({ json: () => Promise.resolve(value) } as unknown as Response);
const offline = () => Promise.reject(new TypeError('Failed to fetch'));

test('a complete document fetches nothing', async () => {
  const fetched = answerWith();
  const { complete, resolve, remotes } = createReleaseTable(whole);
  await complete();
  expect(fetched).not.toHaveBeenCalled();
  expect(resolve(at('/old')).route?.path).toBe('/blocks');
  expect([...remotes.keys()]).toEqual(['mfe-a', 'mfe-b']);
});

test('the rest of the table is known after loading, and fetched once', async () => {
  const fetched = answerWith(found(whole));
  const { complete, resolve, remotes } = createReleaseTable(ofThisPage);
  expect(resolve(at('/home')).route).toBe(home);
  expect(resolve(at('/old')).route).toBeUndefined();
  expect(remotes.has('mfe-b')).toBe(false);
  await Promise.all([complete(), complete()]);
  await complete();
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(resolve(at('/old')).route?.path).toBe('/blocks');
  expect(remotes.get('mfe-b')).toEqual(remote('mfe-b'));
});

test("the browser verifies the table's hash, and a hanging request times out", async () => {
  const timeout = jest.spyOn(AbortSignal, 'timeout');
  const fetched = answerWith(found(whole));
  await createReleaseTable(ofThisPage).complete();
  expect(fetched).toHaveBeenCalledWith(table.url, {
    integrity: table.integrity,
    signal: timeout.mock.results[0]?.value as AbortSignal,
  });
  expect(timeout).toHaveBeenCalledWith(10_000);
});

test('the open page stays the same, and a remote in the document keeps its build', async () => {
  answerWith(found({ ...whole, remotes: [remote('mfe-a', 'live'), remote('mfe-b')] }));
  const { complete, resolve, remotes } = createReleaseTable(ofThisPage);
  await complete();
  expect(resolve(at('/home')).route).toBe(home);
  expect(remotes.get('mfe-a')?.version).toBe('one');
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
  expect(warn).toHaveBeenCalledWith(expect.stringContaining(table.url), expect.any(Error));
  await complete();
  expect(resolve(at('/blocks')).route?.path).toBe('/blocks');
});
