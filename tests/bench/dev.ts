/**
 * `npm run bench:dev`: how long `npm run dev -w mfe-blocks` takes to show a page of a running site, with and without
 * its compiler cache, and how long a changed component or style takes to appear in the open page. Works on a copy of
 * the checkout. Prints a table and saves it in `docs/benchmarks.md`.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { startPostgres } from '@site/server/testing/start-postgres';
import { launchBrowser } from '../e2e/harness/browser.ts';
import { copyCheckout } from '../e2e/harness/checkout-copy.ts';
import { startDevServer } from '../e2e/harness/dev-server.ts';
import { repository, startSite } from '../e2e/harness/site.ts';
import { keepSection } from './keep-section.ts';
import { median } from './quantile.ts';
import { table } from './table.ts';

const TIMES = 7;
const remote = 'mfe-blocks';
const headline = 'Every backend part, in one box';
const busy = loadavg()[0] ?? 0;

const postgres = await startPostgres();
process.env['TEST_POSTGRES'] = postgres.url;
const [site, checkout, browser] = await Promise.all([startSite(), copyCheckout(), launchBrowser()]);
try {
  const page = await browser.newPage();
  const cold = await started(page);
  // webpack writes its cache when idle.
  await sleep(5_000);
  await cold.server.stop();
  // Without this cache, like a team's repository, where the shell comes prebuilt in its package.
  const own: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    await rm(join(checkout.root, remote, 'node_modules/.cache'), { recursive: true, force: true });
    const again = await started(page);
    own.push(again.ms);
    await again.server.stop();
  }
  const last = await started(page);
  await sleep(5_000);
  await last.server.stop();
  const warm: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const again = await started(page);
    warm.push(again.ms);
    await again.server.stop();
  }

  const { server } = await started(page);
  const pageFile = join(checkout.root, remote, 'src/pages/blocks-page.tsx');
  const styleFile = join(checkout.root, remote, 'src/pages/blocks-page.module.css');
  const component = await measured(
    pageFile,
    (text, time) => text.replace(headline, `Changed ${time}`),
    (time) => page.getByRole('heading', { level: 1, name: `Changed ${time}`, exact: true }).waitFor(),
  );
  const style = await measured(
    styleFile,
    (text, time) => `${text}\n:root { --changed: ${time}; }\n`,
    (time) =>
      page.waitForFunction(
        (value) =>
          getComputedStyle(document.documentElement).getPropertyValue('--changed').trim() === String(value),
        time,
        { polling: 5 },
      ),
  );
  await server.stop();

  const ms = (values: readonly number[]) =>
    `${Math.round(median(values))} ms (${Math.round(Math.max(...values))})`;
  const rows = [
    [
      'start until the page is seen, neither shell nor remote compiled before',
      `${(cold.ms / 1000).toFixed(1)} s`,
      '–',
    ],
    ['the same with the shell as the package brings it, as in a separate repository', ms(own), '5 s'],
    ['start until the page is seen, after a former start', ms(warm), '5 s'],
    ['component: saved until seen, its state kept', ms(component), '500 ms'],
    ['style: saved until seen', ms(style), '500 ms'],
  ];
  const text = `\`npm run dev -w ${remote}\` against a site on the same machine, from the command to the headline in a browser; medians of ${TIMES}, and the longest. Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? ''}), which others kept busy with ${busy.toFixed(1)} processes on average when it began.\n\n${table(['', 'measured', 'wanted'], rows)}`;
  process.stdout.write(`${text}\n`);
  await keepSection(join(repository, 'docs/benchmarks.md'), 'Development', text);
} finally {
  await browser.close();
  await site.stop();
  await rm(site.dataDir, { recursive: true, force: true });
  await checkout.remove();
  await postgres.stop();
}

async function started(page: Page) {
  const from = performance.now();
  const server = await startDevServer(checkout.root, remote, site.url);
  await page.goto(`${server.url}/blocks`);
  await page.getByRole('heading', { level: 1, name: headline }).waitFor();
  return { server, ms: performance.now() - from };
}

async function measured(
  file: string,
  change: (text: string, time: number) => string,
  seen: (time: number) => Promise<unknown>,
): Promise<number[]> {
  const text = await readFile(file, 'utf8');
  const times: number[] = [];
  for (let time = 1; time <= TIMES; time += 1) {
    await writeFile(file, change(text, time));
    const from = performance.now();
    await seen(time);
    times.push(performance.now() - from);
    await sleep(300);
  }
  await writeFile(file, text);
  return times;
}
