import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { releaseNumber, type ChannelAnswer } from '@site/contract';
import { seesCanary } from '@site/edge/releases/bucket';
import { bucketAt } from '@site/edge/testing/bucket-at';
import { startAlertReceiver, type AlertReceiver } from '@site/registry/testing/alert-receiver';
import { freePorts } from '@site/server/testing/free-ports';
import { makeEdgeToken } from '../../delivery/harness/edge-token.ts';
import { createNodeProcess, type NodeProcess } from '../../delivery/harness/node-process.ts';
import { openDocument } from '../../delivery/harness/plain-visitor.ts';
import { askRegistry, readOpsToken } from './ask-registry.ts';
import { launchBrowser } from './browser.ts';
import { copyCheckout, type CheckoutCopy } from './checkout-copy.ts';
import { startSite, type Site } from './site.ts';
import { newVisitor, open, type Visitor } from './visitor.ts';
import { until } from './until.ts';

/**
 * The texts of the good and the bad version on /blocks, and the error that the bad one throws when its button is
 * pressed.
 */
export const throwing = {
  before: 'Every backend part, in one box',
  after: 'Every backend part, for some of you',
  button: 'Choose a box',
  message: 'there is no box to choose',
};

/**
 * Visitors without a browser: each has a different network and opens a page every 20 seconds, 20 a second in total.
 * Every second one presses the button if there is one.
 */
const VISITORS = 400;
const BETWEEN_VIEWS_MS = 20_000;
const SHARE = 10;
/** The pages that each of them opens, at staggered times. */
const walk = ['/blocks', '/home', '/blocks', '/partners'];
const BUCKETS = 10_000;
const READING_MS = 2_000;
const PATIENCE_MS = 5 * 60_000;

export interface PageView {
  path: string;
  status: number;
  /** Of the page's remote. */
  version: string;
  /** The version on /blocks; null on other pages. */
  shows: 'before' | 'after' | null;
}

export interface Ended {
  live: string;
  canary: string;
  /** From the time when every edge served the canary until its abort, and until no edge served it. */
  seconds: { ended: number; everywhere: number };
  /** The views during the canary, by its visitors and by all others. */
  meanwhile: Record<'canary' | 'stable', PageView[][]>;
  afterwards: PageView[];
}

/** A site with two edges and a published version that throws at a click. */
export interface ThrowingCanary {
  site: Site;
  receiver: AlertReceiver;
  versions: { good: string; bad: string };
  /** With real browsers: two navigate in the live release, one sees the canary and presses the button. */
  browsers: { stable: Visitor[]; canary: Visitor };
  /** Starts the canary while all visitors use the site, and waits until it is aborted. */
  run(): Promise<Ended>;
  stop(): Promise<void>;
}

/** Starts everything, which takes some seconds of building. If a part fails, the others are stopped. */
export async function startThrowingCanary(): Promise<ThrowingCanary> {
  const opened: (() => Promise<unknown>)[] = [];
  const use = <T>(thing: T, close: (thing: T) => Promise<unknown>): T => {
    opened.push(() => close(thing));
    return thing;
  };
  const stop = async () => {
    for (let close = opened.pop(); close; close = opened.pop()) await close();
  };
  try {
    const checkout = use(await copyCheckout(), (copy) => copy.remove());
    const site = use(await startSite({ root: checkout.root }), (started) => started.stop());
    const { release: live } = await readChannel(site);
    const good = live?.apps['mfe-blocks'] ?? '';
    next = `r${releaseNumber(live?.id ?? 'r0') + 1}`;
    const bad = await publishBad(site, checkout);
    const receiver = use(await startAlertReceiver(), (server) => server.stop());
    await askRegistry(site, 'alert-hooks', { url: receiver.url });
    const folder = use(await mkdtemp(join(tmpdir(), 'site-edge-')), (path) =>
      rm(path, { recursive: true, force: true }),
    );
    const edge = await startEdge(site, folder);
    use(edge, ({ server }) => server.stop());
    const browser = use(await launchBrowser(), (started) => started.close());
    const browsers = {
      stable: [
        await visitorWith(browser, site, bucketAt(5_000, next)),
        await visitorWith(browser, site, bucketAt(9_999, next)),
      ],
      canary: await visitorWith(browser, site, bucketAt(0, next)),
    };
    const run = () => runCanary(site, edge.url, browsers, bad);
    return { site, receiver, versions: { good, bad }, browsers, run, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const readChannel = (site: Site) => askRegistry<ChannelAnswer>(site, 'channels/production');

async function publishBad(site: Site, checkout: CheckoutCopy): Promise<string> {
  const { before, after, button, message } = throwing;
  const file = 'mfe-blocks/src/pages/blocks-page.tsx';
  await checkout.edit(file, before, after);
  const thrower = `<button type="button" onClick={() => { throw new Error('${message}'); }}>${button}</button>`;
  await checkout.edit(file, '<BlockInventory />', `<BlockInventory />${thrower}`);
  return (await command<{ version: string }>(site, 'publish', 'mfe-blocks')).version;
}

/** A command that must succeed. */
async function command<Answer>(site: Site, ...args: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await site.cli(...args, '--json');
  if (code !== 0) throw new Error(`site ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Answer;
}

/** A second edge in a separate process, behind one proxy: visitors of many networks use it. */
async function startEdge(site: Site, folder: string): Promise<{ url: string; server: NodeProcess }> {
  const port = await freePorts(2);
  const id = 'second';
  const server = createNodeProcess(
    'delivery/edge/src/main.ts',
    {
      HOST: '127.0.0.1',
      PORT: String(port),
      OPS_PORT: String(port + 1),
      DATA_DIR: folder,
      ARTIFACTS: join(site.dataDir, 'artifacts'),
      REGISTRY_URL: site.registry,
      EDGE_ID: id,
      EDGE_TOKEN: await makeEdgeToken(site.registry, await readOpsToken(site), id),
      TRUST_PROXY: '1',
      // Tests use other names than the configuration's.
      REDIRECT_HOSTS: 'false',
      ACCESS_LOG: 'false',
    },
    'edge: ',
  );
  await server.start();
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/blocks`)).status === 200);
  return { url, server };
}

async function visitorWith(browser: Browser, site: Site, bucket: number): Promise<Visitor> {
  const visitor = await newVisitor(browser);
  await visitor.context.addCookies([{ name: 'bucket', value: String(bucket), url: site.url }]);
  return visitor;
}

async function runCanary(
  site: Site,
  edge: string,
  { stable, canary }: ThrowingCanary['browsers'],
  bad: string,
): Promise<Ended> {
  const over = new AbortController();
  const pages: PageView[][] = Array.from({ length: VISITORS }, () => []);
  // The visitor with the browser starts first: the others could end the canary before it presses the button.
  let hasBegun = false;
  const presses = (visitor: number) => hasBegun && visitor % 2 === 0;
  const everyone: Promise<unknown>[] = [
    ...pages.map((seen, visitor) => goAround(edge, { visitor, presses, seen }, over.signal)),
    ...stable.map((visitor) => clickAround(visitor, site, over.signal)),
  ];
  try {
    const reason = ['--reason', 'a tenth of the visitors first'];
    const begun = command<{ release: { id: string } }>(
      site,
      ...['activate', `mfe-blocks@${bad}`, '--canary', `${SHARE}%`, ...reason],
    );
    const { release } = await unlessFailed(everyone, begun);
    const shown = performance.now();
    const seconds = () => (performance.now() - shown) / 1_000;
    everyone.push(press(canary, site).then(() => (hasBegun = true)));
    const since = {
      ended: await unlessFailed(everyone, ended(site, seconds)),
      everywhere: await unlessFailed(everyone, leftByEdges(site, seconds)),
    };
    over.abort();
    await Promise.all(everyone);
    const { state } = await readChannel(site);
    const afterwards = await Promise.all(
      pages.map((_, visitor) => openPage(edge, '/blocks', visitor).then(({ view }) => view)),
    );
    const isInside = (visitor: number) =>
      seesCanary(visitorBucket(visitor), { release: release.id, share: SHARE });
    return {
      live: state.live ?? '',
      canary: release.id,
      seconds: since,
      meanwhile: {
        canary: pages.filter((_, visitor) => isInside(visitor)),
        stable: pages.filter((_, visitor) => !isInside(visitor)),
      },
      afterwards,
    };
  } finally {
    over.abort();
    await Promise.allSettled(everyone);
  }
}

/** A visitor's failure ends all other waits. */
async function unlessFailed<T>(everyone: readonly Promise<unknown>[], wanted: Promise<T>): Promise<T> {
  const failure = Promise.all(everyone).then(() => new Promise<never>(() => undefined));
  return Promise.race([wanted, failure]);
}

async function ended(site: Site, seconds: () => number): Promise<number> {
  while ((await readChannel(site)).state.canaries.length > 0) {
    if (seconds() * 1_000 > PATIENCE_MS)
      throw new Error(`Nobody ended the canary within ${PATIENCE_MS / 60_000} minutes.`);
    await sleep(50);
  }
  return seconds();
}

async function leftByEdges(site: Site, seconds: () => number): Promise<number> {
  await until(async () => (await readChannel(site)).edges.every((edge) => edge.canaries.length === 0));
  return seconds();
}

/** Visitors have their buckets before the canary starts: it is the next release. */
let next = '';
/** Evenly distributed in the canary's order, so that the share is exact. */
const visitorBucket = (visitor: number) => bucketAt((visitor * BUCKETS) / VISITORS, next);

async function openPage(edge: string, path: string, visitor: number) {
  const page = await openDocument(edge, path, { network: visitor, bucket: visitorBucket(visitor) });
  const { status, html } = page;
  const { version } = page.view;
  const { before, after } = throwing;
  const shows = html.includes(after) ? 'after' : html.includes(before) ? 'before' : null;
  const view: PageView = { path, status, version, shows: path === '/blocks' ? shows : null };
  return { page, view };
}

async function goAround(
  edge: string,
  { visitor, presses, seen }: { visitor: number; presses: (visitor: number) => boolean; seen: PageView[] },
  over: AbortSignal,
): Promise<void> {
  await pause((visitor / VISITORS) * BETWEEN_VIEWS_MS, over);
  for (let step = 0; !over.aborted; step += 1) {
    const { page, view } = await openPage(edge, walk[(visitor + step) % walk.length] ?? '', visitor);
    seen.push(view);
    const { app } = page.view;
    const fails = presses(visitor) && page.html.includes(throwing.button);
    await page.tell(
      { kind: 'outcome', stretch: 'first', age: page.age(), faulty: fails ? [app] : [] },
      ...(fails
        ? [{ kind: 'faults' as const, faults: [{ kind: 'error' as const, app, message: throwing.message }] }]
        : []),
    );
    await pause(BETWEEN_VIEWS_MS, over);
  }
}

/** A visitor with a browser, who navigates without a reload. */
async function clickAround({ page }: Visitor, site: Site, over: AbortSignal): Promise<void> {
  const link = (name: string) => page.getByRole('banner').getByRole('link', { name, exact: true });
  const heading = () => page.getByRole('heading', { level: 1, name: throwing.before }).waitFor();
  await page.goto(`${site.url}/blocks`);
  await page.waitForSelector('html[data-interactive]', { state: 'attached' });
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  while (!over.aborted) {
    await heading();
    await pause(READING_MS, over);
    await link('START building').click();
    await page.waitForURL('**/start');
    await pause(READING_MS, over);
    await link('BLOCKS').click();
    await page.waitForURL('**/blocks');
  }
  await heading();
}

async function press(visitor: Visitor, site: Site): Promise<void> {
  await open(visitor, `${site.url}/blocks`);
  await visitor.page.getByRole('button', { name: throwing.button }).click();
}

/** Ends early if everything has ended. */
async function pause(ms: number, over: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: over }).catch(() => undefined);
}
