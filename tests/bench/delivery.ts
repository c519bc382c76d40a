/**
 * `npm run bench:delivery`: the speed of activation, rollback and composition, an edge's throughput compared with nginx
 * and the same files, the memory of a release, and the cost of 4, 40 or 400 registered remotes and of a long history.
 * Exits with 1 above a limit. Each server is a separate process on one machine. Prints tables and saves them in
 * `docs/benchmarks.md`.
 */
import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { createComposer } from '@site/composer/create-composer';
import type { VersionManifest } from '@site/contract';
import { inParallel } from '@site/contract/in-parallel';
import { startPostgres } from '@site/server/testing/start-postgres';
import {
  sampleConfig,
  startCluster,
  type Cluster,
  type ClusterOptions,
} from '../delivery/harness/cluster.ts';
import { measureFreshness, versionShown } from '../delivery/harness/freshness.ts';
import { sampleRemote } from '../delivery/harness/sample-apps.ts';
import { hasVarnish } from '../delivery/harness/varnish.ts';
import { hasH2load, loadWithH2load } from './h2load.ts';
import { memory } from './memory.ts';
import { growing } from './growing/growing.ts';
import { median, quantile } from './quantile.ts';
import { runParts } from './run-parts.ts';
import { streams } from './streams.ts';
import { table } from './table.ts';
import { startNginx } from './nginx.ts';

const PUBLICATIONS = 20;
const ROLLBACKS = 100;
const POLLED_ROLLBACKS = 20;
const CACHED = { changes: 50, requests: 100_000 };
const CACHED_SHARE = 0.95;
const CACHED_ROLLBACK_MS = 200;
const FRONT_ROLLBACKS = 10;
/** The cache lifetime of pages in `deploy/nginx.conf`. */
const KEPT_IN_FRONT_MS = 1_000;
/** The limit for 99 of 100 rollbacks, from the command to the last edge. */
const FOLLOWS_WITHIN_MS = 1_000;
/** The polling interval of the cluster's edges. */
const POLL_MS = 1_000;
const LOAD_SECONDS = 5;
/** The request rate for the p99 limit. */
const OFFERED_PER_SECOND = 10_000;
const EDGE_P99_MS = 5;
/** Limits with 400 remotes: one is rolled back, all are activated. */
const ROLLBACK_MS = 200;
const ACTIVATION_MS = 2_000;
const PAGES_COMPOSED_PER_SECOND = 400;
const ROLLBACKS_OF_ONE = 5;
const PUBLISHED_AT_ONCE = 4;
const CONNECTIONS = 32;
const CHANNEL = '/v1/channels/production';

/** A name selects one part: `npm run bench:delivery -- growing`. Default: all. */
const parts: Record<string, () => Promise<string>> = {
  follow: () => withCluster(follow),
  compose,
  serve: () => (hasH2load ? withCluster(serve, { accessLog: false }) : Promise.resolve(noLoadClient)),
  memory,
  remotes: () => withCluster(grow, { edgeCount: 1 }),
  growing,
  streams: () => withCluster(streams),
  caches: () =>
    hasVarnish ? withCluster(caches, { varnish: true, accessLog: false }) : Promise.resolve(noVarnish),
};

const about =
  `PostgreSQL, an S3 server, a registry, three edges and the client on one machine with ${cpus().length} cores, in one run ` +
  '(`npm run bench:delivery`). Compare the ratios; the absolute figures are this machine’s.';

const noVarnish = 'Varnish is not installed on this machine (Debian: varnish, varnish-modules).';

const noLoadClient =
  'h2load is not installed on this machine (Debian: nghttp2-client): no edge was put under load.';

async function withCluster(
  part: (cluster: Cluster) => Promise<string>,
  options: ClusterOptions = {},
): Promise<string> {
  const cluster = await startCluster({
    ...options,
    postgres: await startPostgres({ durable: true }),
    s3: true,
  });
  try {
    return await part(cluster);
  } finally {
    await cluster.stop();
  }
}

/** From the command to the last edge. */
async function follow(cluster: Cluster): Promise<string> {
  const everywhere = async (release: string): Promise<void> => {
    await Promise.all(cluster.edges.map((edge) => cluster.serving(edge, release)));
  };
  const published: number[] = [];
  const versions: string[] = [];
  for (let index = 0; index < PUBLICATIONS; index += 1) {
    const started = performance.now();
    const version = await cluster.publish(sampleRemote('mfe-beta', ['/beta'], `bench ${index}`));
    await everywhere(await cluster.activate({ 'mfe-beta': version }));
    published.push(performance.now() - started);
    versions.push(version);
  }
  const [good = ''] = versions;
  const { front } = cluster;
  const inFront = async () => {
    while ((await versionShown(front ?? '', '/beta', 'mfe-beta')) !== good) await sleep(5);
  };
  const rollBackOften = async (count: number, seen: (release: string) => Promise<void> = everywhere) => {
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const bad = versions[1 + (index % (versions.length - 1))] ?? '';
      await everywhere(await cluster.activate({ 'mfe-beta': bad }, { force: true }));
      const started = performance.now();
      const { body } = await cluster.ask<{ release: { id: string } }>('POST', `${CHANNEL}/rollbacks`, {
        body: { app: 'mfe-beta', from: bad, to: good, reason: 'a benchmark' },
      });
      await seen(body.release.id);
      times.push(performance.now() - started);
    }
    return times;
  };
  await everywhere(await cluster.activate({ 'mfe-beta': good }));
  const notified = await rollBackOften(ROLLBACKS);
  const through = front === null ? null : await rollBackOften(FRONT_ROLLBACKS, inFront);
  for (const { link } of cluster.edges) link.refuse(`${CHANNEL}/events`);
  const polled = await rollBackOften(POLLED_ROLLBACKS);
  for (const { link } of cluster.edges) link.refuse(null);
  requireP99('A rollback', notified, FOLLOWS_WITHIN_MS);
  requireP99('A rollback that edges learn of by polling', polled, POLL_MS + FOLLOWS_WITHIN_MS);
  if (through) requireP99('A rollback behind nginx', through, KEPT_IN_FRONT_MS + FOLLOWS_WITHIN_MS);
  return table(
    ['from the command to the last of three edges', 'times', 'p50 ms', 'p99 ms'],
    [
      ['publish and activate one remote', ...figures(published)],
      ['roll one remote back', ...figures(notified)],
      ...(through ? [['… until nginx in front of them shows it', ...figures(through)]] : []),
      ['roll one remote back, edges deaf to events, polling each second', ...figures(polled)],
    ],
  );
}

/** Rollbacks behind Varnish, then changes while visitors with and without cookies saturate it. */
async function caches(cluster: Cluster): Promise<string> {
  const { rollbacks } = await measureFreshness(cluster, { changes: 2 * ROLLBACKS, requests: 0, visitors: 0 });
  const { checked, stale, share } = await measureFreshness(cluster, CACHED);
  hold('Stale responses after a confirmed purge', stale.length === 0, {
    are: String(stale.length),
    goal: '0',
  });
  hold('Responses from the cache', share >= CACHED_SHARE, {
    are: share.toFixed(3),
    goal: String(CACHED_SHARE),
  });
  requireP99('A rollback behind Varnish', rollbacks, CACHED_ROLLBACK_MS);
  return table(
    [
      'behind Varnish, visitors with and without cookies',
      'times',
      'p50 ms',
      'p99 ms',
      'from the cache',
      'stale after "done"',
    ],
    [
      [
        'roll one remote back, until Varnish shows it',
        ...figures(rollbacks),
        `${(100 * share).toFixed(1)}%`,
        `${stale.length} of ${checked}`,
      ],
    ],
  );
}

/** The real pages of the built site. */
async function compose(): Promise<string> {
  const shell = await readFile('shell/dist/server/server.js');
  const composer = createComposer();
  const rows: string[][] = [];
  for (const app of ['mfe-marketing', 'mfe-policies']) {
    const manifest = JSON.parse(await readFile(`${app}/dist/version.json`, 'utf8')) as VersionManifest;
    if (manifest.kind !== 'remote') throw new Error(`${app} is not a remote.`);
    const remote = await readFile(`${app}/dist/server/server.js`);
    const pages = manifest.pages.map(({ path, module, variants }) => ({ path, module, variants }));
    const request = { app, shell, remote, config: sampleConfig };
    const once = await timed(() => composer.compose({ ...request, pages }));
    const often = Array.from({ length: 20 }, () => pages).flat();
    const many = await timed(() => composer.compose({ ...request, pages: often }));
    const perSecond = (many.result.length / many.ms) * 1000;
    hold(`Pages of ${app}`, perSecond >= PAGES_COMPOSED_PER_SECOND, {
      are: `${perSecond.toFixed(0)} a second`,
      goal: String(PAGES_COMPOSED_PER_SECOND),
    });
    rows.push([
      app,
      String(once.result.length),
      Math.round(once.ms).toString(),
      Math.round(perSecond).toString(),
    ]);
  }
  return table(['composing', 'pages and variants', 'ms, new process', 'pages/s, 20 times as many'], rows);
}

interface Server {
  name: string;
  /** Null without nginx. */
  url: string | null;
}

/**
 * Load tests an edge, the edges behind `deploy/nginx.conf`, and nginx with the same bytes as files, all without access
 * logs.
 */
async function serve(cluster: Cluster): Promise<string> {
  const [edge] = cluster.edges;
  if (!edge) throw new Error('The cluster has no edge.');
  const html = await (await fetch(`${edge.url}/beta`)).text();
  const asset = /href="(\/assets\/[^"]*\.js)"/.exec(html)?.[1];
  if (!asset) throw new Error('The page names no script.');
  const files = { '/beta': html, [asset]: await (await fetch(edge.url + asset)).text() };
  const nginx = await startNginx(files);
  const servers: Server[] = [
    { name: 'an edge', url: edge.url },
    { name: 'edges behind nginx', url: cluster.front },
    { name: 'nginx with files', url: nginx?.url ?? null },
  ];
  const paths = { 'a page': '/beta', 'a script': asset };
  const tables = [
    await loadTable('as many as are answered', servers, paths),
    await loadTable(`${OFFERED_PER_SECOND} a second`, servers, paths, OFFERED_PER_SECOND),
  ];
  await nginx?.stop();
  if (!nginx) tables.push('nginx is not installed on this machine: only an edge alone was measured.');
  return tables.join('\n\n');
}

async function loadTable(
  title: string,
  servers: readonly Server[],
  paths: Record<string, string>,
  rate?: number,
): Promise<string> {
  const rows: string[][] = [];
  for (const [what, path] of Object.entries(paths)) {
    const row = [what];
    for (const { name, url } of servers) {
      const found = url === null ? null : await loadWithH2load(url + path, rate);
      row.push(found ? Math.round(found.perSecond).toString() : '–', found ? found.p99.toFixed(1) : '–');
      if (!found || rate === undefined || name !== 'an edge') continue;
      hold(`An edge at ${rate} a second, ${what}`, found.p99 <= EDGE_P99_MS, {
        are: `${found.p99.toFixed(1)} ms (p99)`,
        goal: `${EDGE_P99_MS} ms`,
      });
    }
    rows.push(row);
  }
  const columns = servers.flatMap(({ name }) => [`${name}: req/s`, 'p99 ms']);
  return table([`gzip, keep-alive, ${title}`, ...columns], rows);
}

/** The cost of another remote for visitors who do not open it. */
async function grow(cluster: Cluster): Promise<string> {
  const [edge] = cluster.edges;
  if (!edge) throw new Error('The cluster has no edge.');
  const rows: string[][] = [];
  for (const count of [4, 40, 400]) {
    const remotes = Array.from({ length: count - 2 }, (_, index) => {
      const name = `grown-${index}`;
      return sampleRemote(`mfe-${name}`, [`/${name}`, `/${name}/more`], 'one');
    });
    await inParallel(PUBLISHED_AT_ONCE, remotes, (remote) => cluster.publish(remote));
    const apps = Object.fromEntries(remotes.map(({ manifest }) => [manifest.app, manifest.version]));
    const activated = await timed(async () => cluster.serving(edge, await cluster.activate(apps)));
    const times: number[] = [];
    for (let index = 0; index < ROLLBACKS_OF_ONE; index += 1) {
      const bad = await cluster.publish(sampleRemote('mfe-beta', ['/beta'], `bad ${index} with ${count}`));
      await cluster.serving(edge, await cluster.activate({ 'mfe-beta': bad }));
      const back = await timed(async () => {
        const { body } = await cluster.ask<{ release: { id: string } }>('POST', `${CHANNEL}/rollbacks`, {
          body: { app: 'mfe-beta', from: bad, reason: 'a benchmark' },
        });
        await cluster.serving(edge, body.release.id);
      });
      times.push(back.ms);
    }
    const backMs = median(times);
    hold(`The activation of ${count}`, activated.ms <= ACTIVATION_MS, {
      are: `${activated.ms.toFixed(0)} ms`,
      goal: `${ACTIVATION_MS} ms`,
    });
    hold(`The rollback of one among ${count}`, backMs <= ROLLBACK_MS, {
      are: `${backMs.toFixed(0)} ms`,
      goal: `${ROLLBACK_MS} ms`,
    });
    const page = await fetch(`${edge.url}/beta`, { headers: { 'accept-encoding': 'br' } });
    const bytes = Number(page.headers.get('content-length'));
    await page.arrayBuffer();
    const perSecond = await load(`${edge.url}/beta`);
    rows.push([
      String(count),
      Math.round(activated.ms).toString(),
      Math.round(backMs).toString(),
      (bytes / 1000).toFixed(1),
      Math.round(perSecond).toString(),
    ]);
  }
  return table(
    [
      'remotes',
      'activation of all ms',
      `rollback of one ms, median of ${ROLLBACKS_OF_ONE}`,
      'a page, KB brotli',
      'pages/s',
    ],
    rows,
  );
}

async function load(url: string): Promise<number> {
  const options = { url, connections: CONNECTIONS, headers: { 'accept-encoding': 'gzip' } };
  await autocannon({ ...options, duration: 1 });
  const { requests, non2xx, errors } = await autocannon({ ...options, duration: LOAD_SECONDS });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx + errors} requests were not answered with 200.`);
  return requests.average;
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const started = performance.now();
  const result = await work();
  return { ms: performance.now() - started, result };
}

function figures(times: number[]): string[] {
  return [String(times.length), median(times).toFixed(0), quantile(times, 0.99).toFixed(0)];
}

function requireP99(what: string, times: number[], limitMs: number): void {
  const p99 = quantile(times, 0.99);
  hold(what, p99 <= limitMs, { are: `${p99.toFixed(0)} ms (p99)`, goal: `${limitMs} ms` });
}

/** The figures are saved, but the command fails. */
function hold(what: string, isMet: boolean, { are, goal }: { are: string; goal: string }): void {
  if (isMet) return;
  process.exitCode = 1;
  process.stderr.write(`${what}: ${are}; the goal is ${goal}.\n`);
}

await runParts('Delivery', about, parts);
