import type { BootRemote, BootRoute } from '@site/contract';
import { createPageLoader } from './page-loader.ts';
import type { RemoteLoader } from './remote-loader.ts';

const live = {
  version: '1.0.0-bbbbbbbbbbbb',
  entry: '/assets/mfe-blocks/remoteEntry.b.js',
  integrity: 'sha384-b',
  scripts: [],
};
const lastGood = {
  version: '1.0.0-aaaaaaaaaaaa',
  entry: '/assets/mfe-blocks/remoteEntry.a.js',
  integrity: 'sha384-a',
  scripts: [],
};
const blocks: BootRoute = { path: '/blocks', remote: 'mfe-blocks', module: './blocks-page' };
const auth: BootRoute = {
  path: '/blocks/auth',
  remote: 'mfe-blocks',
  module: './auth-block-page',
};

function LivePage() {
  return null;
}
function LastGoodPage() {
  return null;
}

/** A remote with scripted builds: each call takes the next outcome of the current build. */
function setUp(outcomes: { live: ('ok' | 'fail')[]; lastGood?: ('ok' | 'fail')[] }, withLastGood = true) {
  const remote: BootRemote = { name: 'mfe-blocks', ...live, ...(withLastGood ? { lastGood } : {}) };
  let inUse = live.entry;
  const calls: string[] = [];
  const uses: string[] = [];
  const onFault = jest.fn();
  const loader: RemoteLoader = {
    load() {
      const isLive = inUse === live.entry;
      calls.push(isLive ? 'live' : 'last-good');
      const outcome = (isLive ? outcomes.live : (outcomes.lastGood ?? [])).shift();
      return outcome === 'ok'
        ? Promise.resolve(isLive ? LivePage : LastGoodPage)
        : Promise.reject(new Error('the script did not load'));
    },
    use(_remote, build) {
      inUse = build.entry;
      uses.push(inUse === live.entry ? 'live' : 'last-good');
    },
  };
  const log = jest.fn();
  const remotes = new Map([[remote.name, remote]]);
  const now = () => Promise.resolve();
  const pages = createPageLoader({ remotes, complete: now, loader, delay: now, log, onFault });
  return { pages, calls, uses, log, onFault };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

test('a page loads from the live build, once', async () => {
  const { pages, calls } = setUp({ live: ['ok'] });
  expect(await pages.load(blocks)).toEqual({ status: 'ready', component: LivePage, build: 'live' });
  expect(await pages.load(blocks)).toEqual(pages.peek(blocks));
  expect(calls).toEqual(['live']);
});

test('two simultaneous requests for one page are one load', async () => {
  const { pages, calls } = setUp({ live: ['ok'] });
  await Promise.all([pages.load(blocks), pages.load(blocks)]);
  expect(calls).toEqual(['live']);
});

test('a failed prefetch has no effect: the click retries, and no fault is reported', async () => {
  const { pages, calls, uses, onFault } = setUp({ live: ['fail', 'ok'] });
  pages.ahead(blocks, Promise.resolve());
  await settle();
  pages.ahead(blocks, Promise.resolve());
  expect([calls, uses, pages.peek(blocks)]).toEqual([['live'], [], undefined]);
  expect(await pages.load(blocks)).toMatchObject({ status: 'ready', build: 'live' });
  // In a new container, because the failed attempt may have left a partial module.
  expect([calls, uses]).toEqual([['live', 'live'], ['live']]);
  expect(onFault).not.toHaveBeenCalled();
});

test('a click uses a pending prefetch, and treats its failure as a first attempt', async () => {
  const good = setUp({ live: ['ok'] });
  good.pages.ahead(blocks, Promise.resolve());
  expect(await good.pages.load(blocks)).toMatchObject({ status: 'ready', build: 'live' });
  expect(good.calls).toEqual(['live']);

  const bad = setUp({ live: ['fail', 'fail'], lastGood: ['ok'] });
  bad.pages.ahead(blocks, Promise.resolve());
  expect(await bad.pages.load(blocks)).toMatchObject({ status: 'ready', build: 'last-good' });
  expect([bad.calls, bad.uses]).toEqual([
    ['live', 'live', 'last-good'],
    ['live', 'last-good'],
  ]);
});

test('a second attempt at the live build recovers from a transient fault', async () => {
  const { pages, calls } = setUp({ live: ['fail', 'ok'] });
  expect(await pages.load(blocks)).toMatchObject({ status: 'ready', build: 'live' });
  expect(calls).toEqual(['live', 'live']);
});

test('the last good build replaces a live build that fails twice', async () => {
  const { pages, calls, log } = setUp({ live: ['fail', 'fail'], lastGood: ['ok'] });
  expect(await pages.load(blocks)).toEqual({ status: 'ready', component: LastGoodPage, build: 'last-good' });
  expect(calls).toEqual(['live', 'live', 'last-good']);
  expect(log).toHaveBeenCalledWith(expect.stringContaining(lastGood.version), expect.any(Error));
});

test('once a remote has fallen back, its other pages come from the last good build too', async () => {
  const { pages, calls } = setUp({ live: ['fail', 'fail', 'ok'], lastGood: ['ok', 'ok'] });
  await pages.load(blocks);
  expect(await pages.load(auth)).toMatchObject({ build: 'last-good' });
  expect(calls).toEqual(['live', 'live', 'last-good', 'last-good']);
});

test('without an earlier version the page fails, and nothing throws', async () => {
  const { pages } = setUp({ live: ['fail', 'fail'] }, false);
  expect(await pages.load(blocks)).toMatchObject({ status: 'failed' });
});

test('with both builds broken the page fails; a later visit retries the last good build', async () => {
  const { pages, calls } = setUp({ live: ['fail', 'fail'], lastGood: ['fail', 'ok'] });
  expect(await pages.load(blocks)).toMatchObject({ status: 'failed' });
  expect(await pages.load(blocks)).toMatchObject({ status: 'ready', build: 'last-good' });
  expect(calls).toEqual(['live', 'live', 'last-good', 'last-good']);
});

test('a retry starts with the live build', async () => {
  const { pages, calls } = setUp({ live: ['fail', 'fail', 'ok'], lastGood: ['fail'] });
  await pages.load(blocks);
  expect(await pages.retry(blocks)).toMatchObject({ status: 'ready', build: 'live' });
  expect(calls).toEqual(['live', 'live', 'last-good', 'live']);
});

test('the last good build replaces a page that throws while rendering', async () => {
  const { pages } = setUp({ live: ['ok'], lastGood: ['ok'] });
  await pages.load(blocks);
  expect(await pages.fallBack(blocks, new Error('render'))).toMatchObject({ build: 'last-good' });
  expect(pages.peek(blocks)).toMatchObject({ build: 'last-good' });
});

test('a permanent failure is reported once, with the remote and the error; a transient fault is not', async () => {
  const passing = setUp({ live: ['fail', 'ok'] });
  await passing.pages.load(blocks);
  expect(passing.onFault).not.toHaveBeenCalled();
  const { pages, onFault } = setUp({ live: ['fail', 'fail'], lastGood: ['ok', 'ok'] });
  await pages.load(blocks);
  await pages.load(auth);
  expect(onFault.mock.calls).toEqual([['load', 'mfe-blocks', new Error('the script did not load')]]);
  const rendered = setUp({ live: ['ok'], lastGood: ['ok'] });
  await rendered.pages.load(blocks);
  await rendered.pages.fallBack(blocks, 'broken');
  expect(rendered.onFault.mock.calls).toEqual([['render', 'mfe-blocks', 'broken']]);
});

test("after a second attempt in a new container, the remote's visited pages load from that container", async () => {
  const { pages, calls } = setUp({ live: ['ok', 'fail', 'ok', 'ok'] });
  await pages.load(auth);
  await pages.load(blocks);
  expect(await pages.load(auth)).toMatchObject({ status: 'ready', build: 'live' });
  expect(calls).toEqual(['live', 'live', 'live', 'live']);
  await pages.load(auth);
  expect(calls).toHaveLength(4);
});

test("visited pages stay if their remote's new container never loads", async () => {
  const { pages, calls } = setUp({ live: ['ok', 'fail', 'fail'] }, false);
  await pages.load(auth);
  expect((await pages.load(blocks)).status).toBe('failed');
  expect((await pages.load(auth)).status).toBe('ready');
  expect(calls).toHaveLength(3);
});

test('a page from an old container is loaded again on its next visit', async () => {
  const remote: BootRemote = { name: 'mfe-blocks', ...live };
  let arrive!: () => void;
  const outcomes = [
    new Promise<typeof LivePage>((resolve) => (arrive = () => resolve(LivePage))),
    Promise.reject(new Error('the script did not load')),
    Promise.resolve(LivePage),
    Promise.resolve(LivePage),
  ];
  const load = jest.fn(() => outcomes.shift()!);
  const pages = createPageLoader({
    remotes: new Map([[remote.name, remote]]),
    complete: () => Promise.resolve(),
    loader: { load, use: () => undefined },
    delay: () => Promise.resolve(),
    log: () => undefined,
    onFault: () => undefined,
  });
  const slow = pages.load(auth);
  await pages.load(blocks);
  arrive();
  await slow;
  await pages.load(auth);
  expect(load).toHaveBeenCalledTimes(4);
  await pages.load(auth);
  expect(load).toHaveBeenCalledTimes(4);
});

test('a page about to be shown remains available when its remote gets a new container', async () => {
  const { pages } = setUp({ live: ['ok', 'fail', 'ok'] });
  await pages.load(auth);
  await pages.load(blocks);
  expect(pages.peek(auth)).toMatchObject({ status: 'ready' });
});

test('a retry that restores the live build leaves no visited page in the last good one', async () => {
  const { pages } = setUp({ live: ['fail', 'fail', 'ok', 'ok'], lastGood: ['fail', 'ok'] });
  await pages.load(blocks);
  expect(await pages.load(auth)).toMatchObject({ build: 'last-good' });
  expect(await pages.retry(blocks)).toMatchObject({ build: 'live' });
  expect(await pages.load(auth)).toMatchObject({ build: 'live' });
});
