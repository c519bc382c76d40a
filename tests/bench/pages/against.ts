/**
 * `npm run bench:pages -- --against <checkout> [path …]`: this checkout's pages compared with another's, whose packages
 * are installed. Each page of both is measured in turns. Exits with 1 above the limit.
 */
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { fullBrand } from '@site/registry/testing/brand';
import { findBrowser, flags } from '../../e2e/harness/browser.ts';
import { releaseData } from '../../e2e/harness/release-data.ts';
import { startSite } from '../../e2e/harness/site.ts';
import { median } from '../quantile.ts';
import { table } from '../table.ts';
import { visit, type Visit } from './visit.ts';

const VISITS = 7;
const LIMIT = 1.05;

/** Less blocking than one long task is noise. */
const BLOCKING_FLOOR_MS = 50;

const figures: Record<string, (each: Visit) => number> = {
  LCP: ({ lcp }) => lcp,
  interactive: ({ interactive }) => interactive ?? Number.NaN,
  blocking: ({ blocking }) => Math.max(blocking, BLOCKING_FLOOR_MS),
};

/** @returns whether every ratio is within the limit. */
export async function compareWith(checkout: string, wanted: readonly string[]): Promise<boolean> {
  const options = { embedded: true, brand: fullBrand, env: { SITE_MODE: 'production' } };
  const here = await startSite(options);
  const before = await startSite({ ...options, root: resolve(checkout) }).catch(async (error: unknown) => {
    await here.stop();
    throw error;
  });
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: flags });
  try {
    const [paths, known] = await Promise.all(
      [here, before].map(async ({ url }) => (await releaseData(url)).routes.map(({ path }) => path).sort()),
    );
    const rows: string[][] = [];
    const ratios: number[] = [];
    for (const path of paths!.filter((each) => known!.includes(each))) {
      if (wanted.length > 0 && !wanted.includes(path)) continue;
      const visits: [Visit[], Visit[]] = [[], []];
      for (let turn = 0; turn < VISITS; turn += 1) {
        visits[0].push(await visit(browser, new URL(path, here.url), 'site'));
        visits[1].push(await visit(browser, new URL(path, before.url), 'site'));
      }
      const cells = Object.values(figures).map((pick) => {
        const [now, then] = visits.map((all) => median(all.map(pick))) as [number, number];
        ratios.push(now / then);
        return `${now.toFixed(0)} ms ÷ ${then.toFixed(0)} ms = ${(now / then).toFixed(2)}`;
      });
      rows.push([path, ...cells]);
    }
    process.stdout.write(`${table(['page', ...Object.keys(figures)], rows)}\n`);
    // A page that is never interactive has no ratio, and is not within the limit.
    const isWithin = ratios.length > 0 && ratios.every((ratio) => ratio <= LIMIT);
    process.stdout.write(`${isWithin ? 'every ratio is within' : 'a ratio is above'} ${LIMIT}\n`);
    return isWithin;
  } finally {
    await browser.close();
    await Promise.all([here.stop(), before.stop()]);
  }
}
