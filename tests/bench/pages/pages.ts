/**
 * `npm run bench:pages [path …]`: the cost of micro-frontends for a visitor on a slow phone. Measures each page as it
 * is, without scripts, and with the same code as one bundle without federation, alternately; then clicks from page to
 * page. Exits with 1 above a limit. A run of all pages is saved in `docs/benchmarks.md`. `--against`: see `against.ts`.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright-core';
import { fullBrand } from '@site/registry/testing/brand';
import { findBrowser, flags } from '../../e2e/harness/browser.ts';
import { releaseData } from '../../e2e/harness/release-data.ts';
import { repository, startSite } from '../../e2e/harness/site.ts';
import { keepSection } from '../keep-section.ts';
import { median } from '../quantile.ts';
import { table } from '../table.ts';
import { compareWith } from './against.ts';
import { clickThrough, type Click } from './click.ts';
import { buildMonolith } from './monolith.ts';
import { startVariants, variants, type Variant } from './variants.ts';
import { conditions, visit, visitAgain, type Visit } from './visit.ts';

const VISITS = 7;

/** Limits from the issue and the budgets. Ratios, milliseconds, bytes. */
const goals = {
  lcpToStatic: 1.05,
  interactiveToMonolith: 0.8,
  blockingMs: 100,
  scriptBytes: 85_000,
  elements: 700,
  documentBytes: 90_000,
  requestsAgain: 1,
  clickMs: 100,
} as const;

interface PageFigures {
  path: string;
  visits: Record<Variant, Visit[]>;
  bytes: { plain: number; brotli: number };
  /** Requests of a second visit: the document, and the rest. */
  again: string[];
}

const [option, checkout, ...compared] = process.argv.slice(2);
if (option === '--against' && checkout !== undefined)
  process.exit((await compareWith(checkout, compared)) ? 0 : 1);

const load = loadavg()[0] ?? 0;
const dataDir = await mkdtemp(join(tmpdir(), 'site-bench-'));
const site = await startSite({ dataDir, embedded: true, brand: fullBrand, env: { SITE_MODE: 'production' } });
const origin = new URL(site.url);
try {
  const wanted = process.argv.slice(2);
  const { routes } = await releaseData(site.url);
  const all = routes.map(({ path }) => path).sort();
  const paths = all.filter((path) => wanted.length === 0 || wanted.includes(path));
  const remotes = (await readdir(repository)).filter((name) => name.startsWith('mfe-'));
  const proxy = await startVariants(
    new URL(`http://127.0.0.1:${site.port}`),
    await buildMonolith(repository, remotes),
  );
  // The services only accept the site's own origin, so the browser maps it to the proxy.
  const rules = `--host-resolver-rules=MAP localhost:${site.port} 127.0.0.1:${proxy.port}`;
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: [...flags, rules] });
  const pages: PageFigures[] = [];
  for (const path of paths) pages.push(await measure(browser, path, proxy.asked));
  const clicks = await clickOften(browser, [...paths, ...paths.toReversed()]);
  await browser.close();
  await proxy.close();

  const misses = [...pages.flatMap(listMisses), ...clicks.flatMap(missesOfClick)];
  const text = [
    `Medians of ${VISITS} visits in turns, ${conditions.latencyMs} ms, ${conditions.downloadKbits / 1_000} Mbit/s and a quarter of the ` +
      `CPU's speed, in one run (\`npm run bench:pages\`); the load average before it was ${load.toFixed(1)}. "Static" is the same ` +
      'document without scripts, "monolith" the same code as one bundle without federation.',
    pageTable(pages),
    clickTable(clicks),
  ].join('\n\n');
  process.stdout.write(`${text}\n\n${misses.map((miss) => `above its goal: ${miss}\n`).join('')}`);
  process.stdout.write(
    misses.length === 0 ? 'every figure within its goal\n' : `${misses.length} figures above their goals\n`,
  );
  process.exitCode = misses.length === 0 ? 0 : 1;
  if (wanted.length === 0) await keepSection('docs/benchmarks.md', 'Pages', text);
} finally {
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(browser: Browser, path: string, asked: () => string[]): Promise<PageFigures> {
  const visits: Record<Variant, Visit[]> = { site: [], static: [], monolith: [] };
  for (let turn = 0; turn < VISITS; turn += 1)
    for (const variant of variants)
      visits[variant].push(await visit(browser, new URL(path, origin), variant));
  const document = Buffer.from(await (await fetch(new URL(path, origin))).arrayBuffer());
  const again = await visitAgain(browser, new URL(path, origin), asked);
  return {
    path,
    again,
    visits,
    bytes: { plain: document.length, brotli: brotliCompressSync(document).length },
  };
}

/** As many rounds of clicks as visits, each with the same route. Returns the medians. */
async function clickOften(browser: Browser, order: string[]): Promise<Click[]> {
  const rounds: Click[][] = [];
  for (let round = 0; round < VISITS; round += 1)
    rounds.push(await clickThrough(browser, origin, '/home', order));
  const [first = []] = rounds;
  return first.map(({ from, to }, index) => {
    const times = rounds.map((clicks) => clicks[index]);
    if (!times.every((click) => click?.from === from && click.to === to))
      throw new Error(
        `Not every round clicked from ${from} to ${to}: the pages change while they are measured.`,
      );
    return { from, to, took: median(times.map((click) => click?.took ?? Number.NaN)) };
  });
}

/** The medians of one page. */
function summary({ visits, bytes, again }: PageFigures) {
  const of = (variant: Variant, pick: (each: Visit) => number) => median(visits[variant].map(pick));
  const lcp = { site: of('site', (each) => each.lcp), static: of('static', (each) => each.lcp) };
  const interactive = (variant: Variant) => of(variant, (each) => each.interactive ?? Number.NaN);
  return {
    lcp,
    lcpToStatic: lcp.site / lcp.static,
    interactive: interactive('site'),
    interactiveToMonolith: interactive('site') / interactive('monolith'),
    blockingMs: of('site', (each) => each.blocking),
    blockingOfMonolith: of('monolith', (each) => each.blocking),
    scriptBytes: of('site', (each) => each.scripts),
    scriptsOfMonolith: of('monolith', (each) => each.scripts),
    elements: of('site', (each) => each.elements),
    documentBytes: bytes.plain,
    brotli: bytes.brotli,
    requestsAgain: again.length,
  };
}

function listMisses(page: PageFigures): string[] {
  const figures = summary(page);
  return (
    [
      'lcpToStatic',
      'interactiveToMonolith',
      'blockingMs',
      'scriptBytes',
      'elements',
      'documentBytes',
      'requestsAgain',
    ] as const
  )
    .filter((name) => figures[name] > goals[name])
    .map((name) => {
      const what = name === 'requestsAgain' ? `: ${page.again.join(' ')}` : '';
      return `${page.path} ${name} ${Number(figures[name].toFixed(2))} (${goals[name]})${what}`;
    });
}

function missesOfClick({ from, to, took }: Click): string[] {
  return took > goals.clickMs ? [`${from} → ${to} ${took.toFixed(0)} ms (${goals.clickMs})`] : [];
}

function pageTable(pages: PageFigures[]): string {
  const ms = (value: number) => value.toFixed(0);
  const kilobytes = (bytes: number) => (bytes / 1_000).toFixed(1);
  return table(
    [
      'page',
      'LCP ms',
      '÷ static',
      'interactive ms',
      '÷ monolith',
      'blocking ms (monolith)',
      'scripts KB (monolith)',
      'elements',
      'HTML KB (brotli)',
      'requests of a second visit',
    ],
    pages.map((page) => {
      const figures = summary(page);
      return [
        page.path,
        ms(figures.lcp.site),
        figures.lcpToStatic.toFixed(2),
        ms(figures.interactive),
        figures.interactiveToMonolith.toFixed(2),
        `${ms(figures.blockingMs)} (${ms(figures.blockingOfMonolith)})`,
        `${kilobytes(figures.scriptBytes)} (${kilobytes(figures.scriptsOfMonolith)})`,
        String(figures.elements),
        `${kilobytes(figures.documentBytes)} (${kilobytes(figures.brotli)})`,
        String(figures.requestsAgain),
      ];
    }),
  );
}

function clickTable(clicks: Click[]): string {
  const times = clicks.map(({ took }) => took);
  const slowest = clicks.reduce<Click | undefined>(
    (worst, each) => (each.took > (worst?.took ?? 0) ? each : worst),
    undefined,
  );
  return table(
    ['from a click to the new heading, prefetched', 'ms'],
    [
      [`median of ${clicks.length} pairs of pages`, median(times).toFixed(0)],
      [`within ${goals.clickMs} ms`, `${times.filter((took) => took <= goals.clickMs).length} pairs`],
      [`slowest: ${slowest?.from ?? '–'} → ${slowest?.to ?? '–'}`, (slowest?.took ?? Number.NaN).toFixed(0)],
    ],
  );
}
