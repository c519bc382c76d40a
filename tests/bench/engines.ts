/**
 * `npm run bench:engines`: the time from a click to the new heading in Chromium, Firefox and WebKit, with everything
 * prefetched and each response delayed by 150 ms. Measured in the page, without CPU throttling, which only Chromium
 * has. Exits with 1 if an engine takes longer than 1.5 times Chromium's median. `npm run bench:engines -- 1` clicks
 * through the pages once and saves nothing.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine, EngineName, Tab } from '../e2e/harness/engines/engine.ts';
import { chromium, firefox } from '../e2e/harness/engines/puppeteer-engine.ts';
import { webkit } from '../e2e/harness/engines/webkit-engine.ts';
import { startLoggingProxy, type LoggingProxy } from '../e2e/harness/logging-proxy.ts';
import { sitePages } from '../e2e/harness/site-pages.ts';
import { startSite } from '../e2e/harness/site.ts';
import { until } from '../e2e/harness/until.ts';
import { keepSection } from './keep-section.ts';
import { clickAndWait } from './pages/click.ts';
import { median } from './quantile.ts';
import { table } from './table.ts';

const asked = process.argv[2];
const ROUNDS = Number(asked ?? 3);
const LATENCY_MS = 150;
const RATIO_LIMIT = 1.5;

interface Click {
  pair: string;
  /** Milliseconds until the new heading is in the document, and until it is painted. */
  shown: number;
  painted: number;
  /** Files that were requested despite the prefetch. */
  requested: string[];
}

const load = loadavg()[0] ?? 0;
const engines = [chromium, firefox, webkit].filter(({ name, missing }) => {
  if (missing !== null) process.stdout.write(`${name} is skipped: ${missing}\n`);
  return missing === null;
});
const dataDir = await mkdtemp(join(tmpdir(), 'site-bench-'));
const site = await startSite({ dataDir, embedded: true, https: true });
const proxy = await startLoggingProxy(site, LATENCY_MS);
try {
  const order = sitePages.map(({ path }) => path);
  const clicks = new Map<EngineName, Click[]>(engines.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const engine of engines)
      clicks
        .get(engine.name)
        ?.push(...(await clickThrough(engine, proxy, [...order, ...order.toReversed()])));
  const figures = engines.map(({ name }) => computeFigures(name, clicks.get(name) ?? []));
  const [baseline] = figures;
  const text = [
    `\`npm run bench:engines\`: ${ROUNDS} rounds in turns, each response delayed by ${LATENCY_MS} ms, load average ` +
      `${load.toFixed(1)}. WebKitGTK paints in software.`,
    table(
      [
        'from a click, prefetched',
        'pairs',
        'heading in the document, ms',
        '÷ Chromium',
        'painted, ms',
        'files requested again',
      ],
      figures.map(({ name, pairs, shown, painted, requested }) => [
        name,
        String(pairs),
        shown.toFixed(0),
        (shown / (baseline?.shown ?? Number.NaN)).toFixed(2),
        painted.toFixed(0),
        String(requested.length),
      ]),
    ),
  ].join('\n\n');
  const misses = figures.filter(({ shown }) => shown > RATIO_LIMIT * (baseline?.shown ?? 0));
  process.stdout.write(`${text}\n\n`);
  for (const { name, requested } of figures)
    for (const path of new Set(requested)) process.stdout.write(`${name} requested ${path} again\n`);
  for (const { name } of misses) process.stdout.write(`above ${RATIO_LIMIT} × Chromium: ${name}\n`);
  process.exitCode = misses.length === 0 ? 0 : 1;
  if (asked === undefined) await keepSection('docs/benchmarks.md', 'Clicks by engine', text);
} finally {
  await proxy.close();
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Clicks from page to page; skips pages that the open page does not link to. */
async function clickThrough(
  engine: Engine,
  { url, paths, forget }: LoggingProxy,
  order: string[],
): Promise<Click[]> {
  const tab = await engine.open();
  const clicks: Click[] = [];
  try {
    let from = '/home';
    await tab.goto(url + from);
    await until(async () => {
      if (!(await tab.evaluate(() => 'interactive' in document.documentElement.dataset)))
        throw new Error('Not interactive yet.');
    });
    await tab.evaluate(() => {
      performance.setResourceTimingBufferSize(5_000);
    });
    await untilQuiet(tab);
    for (const to of order) {
      if (to === from) continue;
      const isLinked = await tab.evaluate((href) => {
        const link = [...document.links].find((each) => each.pathname === href && !each.hash && !each.target);
        link?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
        return link !== undefined;
      }, to);
      if (!isLinked) continue;
      await untilQuiet(tab);
      forget();
      const times = await tab.evaluate(clickAndWait, to);
      const requested = paths().filter((path) => /\.(js|css)$/.test(path));
      clicks.push({ pair: `${from} → ${to}`, ...times, requested });
      from = to;
      await untilQuiet(tab);
    }
    return clicks;
  } finally {
    await tab.close();
  }
}

/** Waits until nothing was loaded for 0.7 seconds. */
async function untilQuiet(tab: Tab): Promise<void> {
  await tab.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, 700);
        const observer = new PerformanceObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(() => {
            observer.disconnect();
            resolve();
          }, 700);
        });
        observer.observe({ type: 'resource' });
      }),
  );
}

/** The fastest round of each pair: other processes on the machine only add time. */
function computeFigures(name: EngineName, clicks: Click[]) {
  const pairs = [...new Set(clicks.map(({ pair }) => pair))].map((pair) =>
    clicks.filter((click) => click.pair === pair),
  );
  const middle = (pick: (click: Click) => number) =>
    median(pairs.map((rounds) => Math.min(...rounds.map(pick))));
  return {
    name,
    pairs: pairs.length,
    shown: middle(({ shown }) => shown),
    painted: middle(({ painted }) => painted),
    requested: clicks.flatMap(({ requested }) => requested),
  };
}
