import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from 'chrome-launcher';
import lighthouse, { type RunnerResult } from 'lighthouse';
import { CONSOLE_PATH } from '@site/contract/registry-calls/session.calls';
import { fullBrand } from '@site/registry/testing/brand';
import { places } from '../delivery/console/src/layout/places.ts';
import { findBrowser, flags } from './e2e/harness/browser.ts';
import { releaseData } from './e2e/harness/release-data.ts';
import { startSite } from './e2e/harness/site.ts';

/**
 * `npm run lighthouse [path …]`: Lighthouse's mobile audit of every route and every view of the console (or of the
 * given paths, such as /home /console/audit) on the production build. Each is audited three times, and the median
 * scores count. Exits with 1 below a budget.
 */
const budgetsOfPages = { performance: 99, accessibility: 100, 'best-practices': 100, seo: 100 };
const { seo: _, ...budgetsOfHiddenPages } = budgetsOfPages;
/** The console is not indexed, and has no performance budget. */
const budgetsOfConsole = { accessibility: 100, 'best-practices': 100 };
const RUNS = 3;

const dataDir = await mkdtemp(join(tmpdir(), 'site-lighthouse-'));
const site = await startSite({ dataDir, embedded: true, brand: fullBrand, env: { SITE_MODE: 'production' } });
const chrome = await launch({ chromePath: await findBrowser(), chromeFlags: [...flags, '--headless'] });
let failures = 0;
try {
  const wanted = process.argv.slice(2);
  const { release, remotes, routes } = await releaseData(site.url);
  const live = remotes.find(({ name }) => name === 'mfe-blocks')?.version ?? '';
  const paths = [
    ...routes.map(({ path }) => path),
    ...[
      ...places.map(({ path }) => path),
      '/apps/mfe-blocks',
      // The site has one version and one release: comparing each with itself also fills the view.
      `/apps/mfe-blocks/compare/${live}/${live}`,
      `/timeline/${release}/${release}`,
    ].map(consolePath),
  ];
  for (const path of paths.filter((each) => wanted.length === 0 || wanted.includes(each))) {
    const ofConsole = path.startsWith(CONSOLE_PATH);
    const runs: RunnerResult['lhr'][] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const lhr = await audit(ofConsole ? await signedIn(path) : site.url + path);
      if (ofConsole && !readTheRegistry(lhr)) throw new Error(`${path} was audited signed out.`);
      runs.push(lhr);
    }
    const scores = Object.entries(ofConsole ? budgetsOfConsole : await readBudgets(path)).map(
      ([id, budget]) => {
        const sorted = runs.map(({ categories }) => categories[id]?.score ?? 0).toSorted((a, b) => a - b);
        const score = Math.round((sorted[Math.floor(RUNS / 2)] ?? 0) * 100);
        return { id, score, ok: score >= budget };
      },
    );
    const failed = scores.filter(({ ok }) => !ok);
    failures += failed.length;
    process.stdout.write(
      `${path.padEnd(34)} ${scores.map(({ id, score }) => `${id} ${score}`).join('  ')}\n`,
    );
    for (const { id } of failed) printLowAudits(runs, id);
  }
} finally {
  chrome.kill();
  await site.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.stdout.write(
  failures === 0 ? 'every score within its budget\n' : `${failures} scores below their budget\n`,
);
process.exitCode = failures === 0 ? 0 : 1;

/** Lighthouse lowers the SEO score of a `noindex` page. */
async function readBudgets(path: string): Promise<Record<string, number>> {
  const document = await (await fetch(site.url + path)).text();
  return /<meta name="robots" content="noindex/.test(document) ? budgetsOfHiddenPages : budgetsOfPages;
}

async function audit(url: string): Promise<RunnerResult['lhr']> {
  const result = await lighthouse(url, { port: chrome.port, logLevel: 'error', output: 'json' });
  if (!result) throw new Error(`Lighthouse gave no result for ${url}.`);
  return result.lhr;
}

function consolePath(path: string): string {
  return CONSOLE_PATH + (path === '/' ? '' : path);
}

/** A console URL that signs in its first visitor. */
async function signedIn(path: string): Promise<string> {
  const { stdout } = await site.cli('console');
  return new URL(path, site.registry).href + new URL(stdout.trim()).hash;
}

function readTheRegistry({ audits }: RunnerResult['lhr']): boolean {
  const { details } = audits['network-requests'] ?? {};
  const requests = details?.type === 'table' ? details.items : [];
  return requests.some(
    ({ url, statusCode }) => typeof url === 'string' && url.includes('/v1/') && statusCode === 200,
  );
}

/** The audits that lowered a category's score in the last run. */
function printLowAudits(runs: readonly RunnerResult['lhr'][], category: string): void {
  const { categories, audits } = runs.at(-1) ?? {};
  for (const { id } of categories?.[category]?.auditRefs ?? []) {
    const { score, title, displayValue } = audits?.[id] ?? {};
    if (typeof score === 'number' && score < 0.9)
      process.stdout.write(`    ${title ?? id} ${displayValue ?? ''}\n`);
  }
}
