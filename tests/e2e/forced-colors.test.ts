import type { Page } from 'playwright-core';
import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';
import { open, visitors, type Visitor } from './harness/visitor.ts';

const { url: site } = sharedSite();
const newVisitor = visitors();

/** The WCAG contrast minimum. */
const LEAST_CONTRAST = 4.5;

/** The texts of drawings, except those printed on bricks, which are part of the picture. */
const TEXTS = 'main svg :is(text, tspan):not(.art-print)';

/** The texts of drawings without a forced color, or with too little contrast to the painted background. */
async function unreadable(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(async (selector) => {
    const hidden = new CSSStyleSheet();
    hidden.replaceSync(`${selector} { visibility: hidden }`);
    document.adoptedStyleSheets = [hidden];
    for (const image of document.images) {
      image.loading = 'eager';
      await image.decode();
    }
    return document.querySelector(selector) !== null;
  }, TEXTS);
  if (!isThere) return [];
  const picture = (await page.screenshot({ fullPage: true })).toString('base64');
  return page.evaluate(
    async ({ picture, selector, least }) => {
      const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d', {
        willReadFrequently: true,
      })!;
      canvas.drawImage(image, 0, 0);
      const light = (colour: ArrayLike<number>, at = 0) => {
        const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((part) => {
          const value = (colour[at + part] ?? 0) / 255;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const page = getComputedStyle(document.body);
      return [...document.querySelectorAll(selector)].flatMap((text) => {
        const { x, y, width, height } = text.getBoundingClientRect();
        if (width < 1) return [];
        const { data } = canvas.getImageData(x + scrollX, y + scrollY, width, height);
        const { fill, stroke } = getComputedStyle(text);
        const own = light((/[\d., ]+/.exec(fill)?.[0] ?? '').split(',').map(Number));
        const contrasts = Array.from({ length: data.length / 4 }, (_, pixel) => {
          const behind = light(data, 4 * pixel);
          return (Math.max(behind, own) + 0.05) / (Math.min(behind, own) + 0.05);
        }).sort((a, b) => a - b);
        // A leader line that ends at the text, or a brick's edge, is not a background.
        const contrast = contrasts[Math.floor(contrasts.length / 2)] ?? 0;
        const areForced = fill === page.color && ['none', page.backgroundColor].includes(stroke);
        if (contrast >= least && areForced) return [];
        return [`"${text.textContent}" in ${fill}, around it ${stroke}: ${contrast.toFixed(1)}`];
      });
    },
    { picture, selector: TEXTS, least: LEAST_CONTRAST },
  );
}

// A site theme opposite to the system's forced colors: none of the site's backgrounds remain.
describe.each([
  ['light', 'Dark'],
  ['dark', 'Light'],
] as const)('with forced %s colors and the %s theme', (colorScheme, theme) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await newVisitor({ viewport: { width: 390, height: 844 } });
    await visitor.page.emulateMedia({ colorScheme, forcedColors: 'active', reducedMotion: 'reduce' });
    await open(visitor, `${site}/policies/cookies`);
    await visitor.page.getByRole('button', { name: 'Open the menu' }).click();
    await visitor.page.getByRole('dialog').getByRole('radio', { name: theme }).check({ force: true });
  });

  test('the texts of all drawings are readable', async () => {
    const found: Record<string, string[]> = {};
    for (const { path } of sitePages) {
      await open(visitor, site + path);
      const texts = await unreadable(visitor.page);
      if (texts.length > 0) found[path] = texts;
    }
    expect(found).toEqual({});
    expect(visitor.problems()).toEqual([]);
  });

  test.each([
    ['between two sections', '/support', 'main section + section > *', '::before'],
    ['below a statistic', '/home', 'main dl > div > dt', '::after'],
    ['from one state of an incident to the next', '/policies/support', '#incidents li', '::before'],
  ] as const)('the line %s is visible', async (_where, path, selector, pseudo) => {
    await open(visitor, site + path);
    const lines = await visitor.page.locator(selector).evaluateAll(
      (elements, pseudo) =>
        elements.map((element) => {
          const { content, display, borderTopWidth, borderLeftWidth, width, height } = getComputedStyle(
            element,
            pseudo,
          );
          const isThere = content !== 'none' && display !== 'none';
          const border = parseFloat(borderTopWidth) + parseFloat(borderLeftWidth);
          return isThere && { border, length: Math.max(parseFloat(width), parseFloat(height)) };
        }),
      pseudo,
    );
    const drawn = lines.filter((line) => line !== false);
    expect(drawn.length).toBeGreaterThan(0);
    expect(drawn.filter(({ border, length }) => border === 0 || length < 10)).toEqual([]);
  });

  test("a link's border does not touch its letters", async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(visitor, `${site}/policies/cookies`);
    const logIn = page.getByRole('banner').getByRole('link', { name: 'Log In' });
    const [frame, ground] = await logIn.evaluate((link) => [
      getComputedStyle(link).borderColor,
      getComputedStyle(document.body).backgroundColor,
    ]);
    expect(frame).toBe(ground);
  });
});
