import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { bootDataOf } from '@site/build/dev-document';
import { findBrowser, flags } from './e2e/harness/browser.ts';
import { startSite } from './e2e/harness/site.ts';

/**
 * `npm run lighthouse [path …]`: Lighthouse's mobile audit of every route (or of the paths given) on the production build.
 * Ends with 1 when a score is below its budget.
 */
const budgets = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 };

const dataDir = await mkdtemp(join(tmpdir(), 'site-lighthouse-'));
const site = await startSite({ dataDir, embedded: true, env: { SITE_MODE: 'production' } });
const chrome = await launch({ chromePath: await findBrowser(), chromeFlags: [...flags, '--headless'] });
let failures = 0;
try {
  const document = await (await fetch(`${site.url}/home`)).text();
  const wanted = process.argv.slice(2);
  const paths = bootDataOf(document).routes.map(({ path }) => path);
  for (const path of paths.filter((each) => wanted.length === 0 || wanted.includes(each))) {
    const result = await lighthouse(site.url + path, {
      port: chrome.port,
      logLevel: 'error',
      output: 'json',
    });
    if (!result) throw new Error(`Lighthouse gave no result for ${path}.`);
    const { categories, audits } = result.lhr;
    const scores = Object.entries(budgets).map(([id, budget]) => {
      const score = Math.round((categories[id]?.score ?? 0) * 100);
      return { id, score, ok: score >= budget };
    });
    const failed = scores.filter(({ ok }) => !ok);
    failures += failed.length;
    process.stdout.write(
      `${path.padEnd(34)} ${scores.map(({ id, score }) => `${id} ${score}`).join('  ')}\n`,
    );
    for (const { id } of failed) {
      for (const { id: audit } of categories[id]?.auditRefs ?? []) {
        const { score, title, displayValue } = audits[audit] ?? {};
        if (typeof score === 'number' && score < 0.9)
          process.stdout.write(`    ${title ?? audit} ${displayValue ?? ''}\n`);
      }
    }
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
