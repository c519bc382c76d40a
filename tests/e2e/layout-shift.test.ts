import { holdFonts, shiftsOf, watchShifts } from './harness/layout-shifts.ts';
import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';
import { hydrated, visitors } from './harness/visitor.ts';

/** Good by web.dev/cls. Above it a search engine counts the page as restless. */
const GOOD = 0.1;

const newVisitor = visitors();

describe.each([412, 768, 1280])('at %i px', (width) => {
  test.each(sitePages)('next to nothing of $path moves when the font comes late', async ({ path }) => {
    const visitor = await newVisitor({ viewport: { width, height: 823 } });
    const { page } = visitor;
    await watchShifts(page);
    const letFontsCome = await holdFonts(page);
    // Not until it is loaded: fonts belong to that.
    await page.goto(sharedSite().url + path, { waitUntil: 'commit' });
    await hydrated(page);
    const inOwnFont = () => page.evaluate(() => document.fonts.check('1em "Instrument Sans"'));
    // What a page is measured for must happen in it: it was painted without its fonts, then with them.
    expect(await inOwnFont()).toBe(false);
    letFontsCome();
    await page.evaluate(() => document.fonts.ready);
    expect(await inOwnFont()).toBe(true);

    const { total, moved } = await shiftsOf(page);
    expect(total > GOOD ? [total, ...moved] : []).toEqual([]);
  });
});
