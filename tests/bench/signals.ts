/**
 * `npm run bench:signals`: the cost of browser reports. For a visitor on a slow phone, compared with a browser that
 * opts out of tracking and therefore reports nothing; for an edge, compared with the same pages without reports. Both
 * alternate in one run. Prints tables and saves them in `docs/benchmarks.md`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { chromium, type Browser } from 'playwright-core';
import { documentKey } from '@site/contract';
import { SIGNALS_PATH } from '@site/contract/signals/report-limits';
import type { Report, Signals, SignalsToken } from '@site/contract/signals/report.schema';
import { startPostgres } from '@site/server/testing/start-postgres';
import { fullBrand } from '@site/registry/testing/brand';
import { startCluster, type Cluster, type ClusterEdge } from '../delivery/harness/cluster.ts';
import { readBootData } from '../delivery/harness/page-check.ts';
import { findBrowser, flags } from '../e2e/harness/browser.ts';
import { startSite } from '../e2e/harness/site.ts';
import { conditions, newSlowVisitor, readTimes, untilInteractive } from './pages/visit.ts';
import { median } from './quantile.ts';
import { runParts } from './run-parts.ts';
import { table } from './table.ts';

const VISITS = 7;
const PATHS = ['/home', '/blocks'];
/** How long a page stays open after it is interactive: long enough for its script and the first report. */
const LOOKED_AT_MS = 7_000;

const TURNS = 5;
const LOAD_SECONDS = 4;
const CONNECTIONS = 32;
/** The reports of a view: one after five seconds, and one when it ends. */
const REPORTS_OF_A_PAGE = 2;
/** Each is valid for a hundred views. */
const TOKENS = 20_000;
const VIEWS_OF_A_TOKEN = 100;
const PAGE = '/beta';
/** Some reports are still active when the measurement ends. */
const COUNTED_PART = 0.95;

const load = loadavg()[0] ?? 0;
await runParts(
  'Signals',
  `In one run (\`npm run bench:signals\`); the load average before it was ${load.toFixed(1)}.`,
  { visitor: forVisitors, edge: forEdges },
);

interface Cost {
  scriptBytes: number;
  requests: number;
  /** CPU time of the main thread, which excludes other processes. */
  mainThreadMs: number;
  lcp: number;
  interactive: number;
}

async function forVisitors(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'site-bench-'));
  const site = await startSite({
    dataDir,
    embedded: true,
    brand: fullBrand,
    env: { SITE_MODE: 'production' },
  });
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: flags });
  try {
    const rows: string[][] = [];
    for (const path of PATHS) {
      const url = new URL(path, site.url);
      const costs: Record<'with' | 'without', Cost[]> = { with: [], without: [] };
      for (let turn = 0; turn < VISITS; turn += 1)
        for (const which of ['with', 'without'] as const) costs[which].push(await view(browser, url, which));
      rows.push(costRow(path, 'with', costs.with), costRow(path, 'without', costs.without));
    }
    return [
      `For a visitor: medians of ${VISITS} visits in turns, ${conditions.latencyMs} ms, ${conditions.downloadKbits / 1_000} Mbit/s and a quarter ` +
        `of the CPU's speed, until ${LOOKED_AT_MS / 1_000} s after the page answers. "Without" is a browser with Global Privacy Control. ` +
        'The main thread is counted in processor time. Scripts and requests include what is fetched ahead for clicks, which differs from visit ' +
        'to visit: a difference that has another sign on the other page is chance. The script for it has 3.0 KB.',
      table(
        ['page', 'signals', 'scripts, KB', 'requests', 'main thread, ms', 'LCP, ms', 'interactive, ms'],
        rows,
      ),
    ].join('\n\n');
  } finally {
    await browser.close();
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function view(browser: Browser, url: URL, signals: 'with' | 'without'): Promise<Cost> {
  const { context, page } = await newSlowVisitor(browser, url, 'site');
  try {
    if (signals === 'without')
      await context.addInitScript(() =>
        Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }),
      );
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const devtools = await context.newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(url.href, { waitUntil: 'load' });
    await untilInteractive(page);
    await page.waitForTimeout(LOOKED_AT_MS);
    const hasTold = requests.includes(SIGNALS_PATH);
    if (hasTold !== (signals === 'with'))
      throw new Error(
        `A browser ${signals} signals ${hasTold ? 'told' : 'did not tell'} of ${url.pathname}.`,
      );
    const { metrics } = await devtools.send('Performance.getMetrics');
    const { lcp, interactive } = await readTimes(page);
    const scriptBytes = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\.js(\?|$)/.test(name))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    return {
      scriptBytes,
      requests: requests.length,
      mainThreadMs: (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000,
      lcp,
      interactive: interactive ?? Number.NaN,
    };
  } finally {
    await context.close();
  }
}

function costRow(path: string, signals: string, costs: Cost[]): string[] {
  const of = (pick: (cost: Cost) => number) => median(costs.map(pick));
  return [
    path,
    signals,
    (of(({ scriptBytes }) => scriptBytes) / 1_000).toFixed(1),
    String(of(({ requests }) => requests)),
    ...[
      of(({ mainThreadMs }) => mainThreadMs),
      of(({ lcp }) => lcp),
      of(({ interactive }) => interactive),
    ].map((ms) => ms.toFixed(0)),
  ];
}

interface Load {
  requestsPerSecond: number;
  pagesPerSecond: number;
  /** The edge's CPU time per page, including its reports. */
  processorMicros: number;
}

async function forEdges(): Promise<string> {
  const cluster = await startCluster({
    edgeCount: 1,
    postgres: await startPostgres({ durable: true }),
    s3: true,
  });
  const [edge] = cluster.edges;
  if (!edge) throw new Error('The cluster has no edge.');
  try {
    const nextReport = await makeReports(cluster, edge);
    const loads: Record<'without' | 'with', Load[]> = { without: [], with: [] };
    for (let turn = 0; turn < TURNS; turn += 1) {
      loads.without.push(await measureLoad(edge, []));
      loads.with.push(await measureLoad(edge, Array<typeof nextReport>(REPORTS_OF_A_PAGE).fill(nextReport)));
    }
    const row = (name: string, of: Load[]) => [
      name,
      ...[
        median(of.map(({ requestsPerSecond }) => requestsPerSecond)),
        median(of.map(({ pagesPerSecond }) => pagesPerSecond)),
        median(of.map(({ processorMicros }) => processorMicros)),
      ].map((figure) => figure.toFixed(0)),
    ];
    return [
      `For an edge: medians of ${TURNS} turns of ${LOAD_SECONDS} s, ${CONNECTIONS} connections, a small page; registry, PostgreSQL and the client on the ` +
        `same machine. Each view sends ${REPORTS_OF_A_PAGE} requests with reports that count, each from another network.`,
      table(
        [
          'signals',
          'requests/s',
          'of these pages/s',
          "the edge's processor time for a page and its reports, µs",
        ],
        [row('without', loads.without), row('with', loads.with)],
      ),
    ].join('\n\n');
  } finally {
    await cluster.stop();
  }
}

type Send = NonNullable<autocannon.Request['setupRequest']>;

/** Creates report requests like a browser's. Each counts, because its combination of token, view and network is new. */
async function makeReports(cluster: Cluster, edge: ClusterEdge): Promise<Send> {
  const { release } = await cluster.channel();
  const version = release?.apps['mfe-beta'] ?? '';
  const { frame } = readBootData(await (await fetch(edge.url + PAGE)).text());
  const document = documentKey(frame, { name: 'mfe-beta', version });
  const caller = (index: number) => ({ 'x-forwarded-for': `10.${(index >> 8) & 255}.${index & 255}.1` });
  const tokens: string[] = [];
  while (tokens.length < TOKENS) {
    const answer = await fetch(`${edge.url}${SIGNALS_PATH}?page=${PAGE}`, { headers: caller(tokens.length) });
    const { token } = (await answer.json()) as SignalsToken;
    if (token !== null) tokens.push(token);
  }
  let sent = 0;
  return (request) => {
    const number = Math.floor(sent / TOKENS) % VIEWS_OF_A_TOKEN;
    const view = { number, route: PAGE, app: 'mfe-beta', version, build: 'live' } as const;
    const reports: Report[] = [{ kind: 'outcome', view, stretch: 'first', age: 5_000, faulty: [] }];
    const signals: Signals = { token: tokens[sent % TOKENS] ?? '', document, reports };
    // A token is valid for its network.
    const headers = { ...caller(sent % TOKENS), 'sec-fetch-site': 'same-origin' };
    sent += 1;
    return { ...request, method: 'POST', path: SIGNALS_PATH, headers, body: JSON.stringify(signals) };
  };
}

/** Requests the page repeatedly, each time followed by these reports. @throws Error if reports were not counted. */
async function measureLoad(edge: ClusterEdge, reports: readonly Send[]): Promise<Load> {
  const headers = { 'accept-encoding': 'gzip' };
  const options = {
    url: edge.url,
    connections: CONNECTIONS,
    requests: [
      { method: 'GET' as const, path: PAGE, headers },
      ...reports.map((setupRequest) => ({ setupRequest })),
    ],
  };
  await autocannon({ ...options, duration: 1 });
  const before = { processor: edge.processorMs(), counted: await countedBy(edge) };
  const { requests, duration, non2xx, errors } = await autocannon({ ...options, duration: LOAD_SECONDS });
  const processorMs = edge.processorMs() - before.processor;
  const counted = (await countedBy(edge)) - before.counted;
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests were not answered with 2xx.`);
  const pages = requests.total / options.requests.length;
  if (counted < pages * reports.length * COUNTED_PART)
    throw new Error(`Of ${Math.round(pages * reports.length)} reports only ${counted} were counted.`);
  return {
    requestsPerSecond: requests.total / duration,
    pagesPerSecond: pages / duration,
    processorMicros: (processorMs * 1_000) / pages,
  };
}

async function countedBy({ url }: ClusterEdge): Promise<number> {
  const ops = new URL(url);
  ops.port = String(Number(ops.port) + 1);
  const metrics = await (await fetch(new URL('/metrics', ops))).text();
  return Number(/^site_edge_signals_total\{kind="outcome"\} (\d+)/m.exec(metrics)?.[1] ?? 0);
}
