import fc from 'fast-check';
import { sharedSite } from './harness/shared-site.ts';
import { readHeading, sitePages, readTitle } from './harness/site-pages.ts';
import { visitors } from './harness/visitor.ts';
import { walk } from './harness/walk/steps.ts';
import { Walker, type KnownPages } from './harness/walk/walker.ts';

/**
 * Random walks over the site while requests are held, delayed or fail. `npm run fuzz` runs ten times as many;
 * `FUZZ_SEED=2` sets another seed. A failure prints seed, path and the shortest failing steps; `FUZZ_SEED=1
 * FUZZ_PATH=3:0:1` repeats it.
 */
const WALKS = 5 * Number(process.env['FUZZ_FACTOR'] ?? 1);
const { FUZZ_SEED: seed = '1', FUZZ_PATH: path = '' } = process.env;

/** Prevents a hanging walk from blocking the run. */
const WALK_LIMIT_MS = 60_000;
/** Limits the search for a shorter failing walk. */
const SHRINK_MS = 120_000;

/** The headlines of /home, which are drawn at random. */
const headlines = ['API MICROSERVICES', 'BACKEND AS A SERVICE'];

const { url: site } = sharedSite();
const newVisitor = visitors();
let known: KnownPages;
beforeAll(async () => {
  known = new Map(
    await Promise.all(
      sitePages.map(async ({ path: page }) => {
        const html = await (await fetch(site + page)).text();
        const headings = page === '/home' ? headlines : [readHeading(html)];
        return [page, { title: readTitle(html), headings }] as const;
      }),
    ),
  );
});

test(
  'on an unsteady network, page and address match, texts and scroll positions are kept, and nothing fails',
  async () => {
    let taken = 0;
    let failedAt = Infinity;
    await fc.assert(
      fc.asyncProperty(walk, async ({ start, steps }) => {
        if (performance.now() - failedAt > SHRINK_MS) return;
        const visitor = await newVisitor();
        try {
          const walker = await Walker.open(visitor, site + start, known);
          for (const step of steps) await walker.take(step);
          await walker.settle();
          taken += walker.taken;
        } catch (error) {
          failedAt = Math.min(failedAt, performance.now());
          throw error;
        } finally {
          await visitor.close();
        }
      }),
      { numRuns: WALKS, seed: Number(seed), path },
    );
    // A repeated walk may be short.
    if (path === '') expect(taken).toBeGreaterThan(WALKS * 4);
  },
  WALK_LIMIT_MS * WALKS,
);
