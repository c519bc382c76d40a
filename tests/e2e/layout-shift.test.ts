import { holdFonts, readShifts, watchShifts } from './harness/layout-shifts.ts';
import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';
import { hydrated, visitors } from './harness/visitor.ts';

/** The "good" threshold of web.dev/cls. */
const GOOD = 0.1;

const newVisitor = visitors();

describe.each([412, 768, 1280])('at %i px', (width) => {
  test.each(sitePages)('$path hardly shifts when the font loads late', async ({ path }) => {
    const visitor = await newVisitor({ viewport: { width, height: 823 } });
    const { page } = visitor;
    await watchShifts(page);
    const letFontsCome = await holdFonts(page);
    // Not until `load`: fonts are part of it.
    await page.goto(sharedSite().url + path, { waitUntil: 'commit' });
    await hydrated(page);
    const inOwnFont = () => page.evaluate(() => document.fonts.check('1em "Instrument Sans"'));
    // Paints the page without its fonts first, then with them: otherwise there is nothing to measure.
    expect(await inOwnFont()).toBe(false);
    letFontsCome();
    await page.evaluate(() => document.fonts.ready);
    expect(await inOwnFont()).toBe(true);

    const { total, moved } = await readShifts(page);
    expect(total > GOOD ? [total, ...moved] : []).toEqual([]);
  });
});
