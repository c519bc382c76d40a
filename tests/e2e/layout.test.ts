import type { Page } from 'playwright-core';
import { BOOT_DATA_ID } from '@site/contract';
import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';
import { until } from './harness/until.ts';
import { open, visitors, type Visitor, type VisitorOptions } from './harness/visitor.ts';

const phone = { width: 390, height: 844 };

/** The default brand's external pages. */
const placeholders = () => new URL(sharedSite().ops).origin;

const newVisitor = visitors();

const visit = async (path: string, options?: VisitorOptions) => {
  const visitor = await newVisitor(options);
  await open(visitor, sharedSite().url + path);
  return visitor;
};

const focusedName = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  );

describe('the FAQ', () => {
  test('opens and closes each question individually, by pointer and by keyboard', async () => {
    const visitor = await visit('/home');
    const items = visitor.page.locator('#faq details');
    const opened = () => items.evaluateAll((all) => all.map((item) => (item as HTMLDetailsElement).open));
    const answerIsShown = (index: number) => items.nth(index).locator('p').isVisible();
    expect(await opened()).toEqual([false, false, false, false, false, false]);
    expect(await answerIsShown(1)).toBe(false);

    await items.nth(1).locator('summary').click();
    await items.nth(4).locator('summary').click();
    expect(await opened()).toEqual([false, true, false, false, true, false]);
    await items.nth(1).locator('p').waitFor();

    await items.nth(1).locator('summary').press('Space');
    await items.nth(2).locator('summary').press('Enter');
    expect(await opened()).toEqual([false, false, true, false, true, false]);
    await items.nth(1).locator('p').waitFor({ state: 'hidden' });
    expect(visitor.problems()).toEqual([]);
  });

  test('fades and grows for 200 ms both ways, and not at all with reduced motion', async () => {
    const visitor = await visit('/home');
    const { page } = visitor;
    const item = page.locator('#faq details').first();
    const devtools = await visitor.context.newCDPSession(page);
    const started = new Map<string, number>();
    devtools.on('Animation.animationStarted', ({ animation }) => {
      if (animation.type === 'CSSTransition') started.set(animation.name, animation.source?.duration ?? 0);
    });
    await devtools.send('Animation.enable');
    const height = () => item.evaluate((details) => details.getBoundingClientRect().height);
    const opacity = () =>
      item.evaluate((details) => Number(getComputedStyle(details, '::details-content').opacity));
    /** Opens or closes in slow motion; true once it is seen half open. */
    const toggle = async () => {
      started.clear();
      const before = await height();
      await devtools.send('Animation.setPlaybackRate', { playbackRate: 0.02 });
      await item.locator('summary').click();
      await page.waitForFunction(
        ([details, from]) => details instanceof Element && details.getBoundingClientRect().height !== from,
        [await item.elementHandle(), before] as const,
      );
      const [between, faded] = [await height(), await opacity()];
      await devtools.send('Animation.setPlaybackRate', { playbackRate: 100 });
      await page.waitForFunction(
        (details) => /^[01]$/.test(getComputedStyle(details, '::details-content').opacity),
        await item.elementHandle(),
      );
      return { before, between, faded, after: await height() };
    };
    const opening = await toggle();
    expect(Object.fromEntries(started)).toMatchObject({ 'grid-template-rows': 200, opacity: 200 });
    const closing = await toggle();
    expect(Object.fromEntries(started)).toMatchObject({ 'grid-template-rows': 200, opacity: 200 });
    for (const { before, between, faded, after } of [opening, closing]) {
      expect((between - before) * (after - between)).toBeGreaterThan(0);
      expect(faded * (1 - faded)).toBeGreaterThan(0);
    }
    expect(closing.after).toBe(opening.before);

    await page.emulateMedia({ reducedMotion: 'reduce' });
    const durations = await item.evaluate(
      (details) => getComputedStyle(details, '::details-content').transitionDuration,
    );
    expect(Math.max(...durations.split(',').map(parseFloat))).toBeLessThan(0.001);
    expect(visitor.problems()).toEqual([]);
  });
});

test('the FAQ fades and grows in a browser without `::details-content`', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  // The style sheet is in the document, whose policy contains its hash.
  await page.route('**/home', async (route) => {
    const response = await route.fetch();
    const html = (await response.text()).replaceAll('::details-content', '::details-unknown');
    const { 'content-security-policy': _, ...headers } = response.headers();
    await route.fulfill({ response, headers, body: html });
  });
  await open(visitor, `${sharedSite().url}/home`);
  const item = page.locator('#faq details').first();
  const opened = await item.evaluate(async (details) => {
    details.querySelector('summary')!.click();
    await new Promise(requestAnimationFrame);
    const [animation] = details
      .getAnimations({ subtree: true })
      .filter((each) => each instanceof CSSAnimation);
    if (!animation) return null;
    animation.pause();
    animation.currentTime = 50;
    const { opacity } = getComputedStyle(details.lastElementChild!);
    const half = details.getBoundingClientRect().height;
    const duration = animation.effect!.getTiming().duration;
    animation.finish();
    return { duration, opacity: Number(opacity), half, whole: details.getBoundingClientRect().height };
  });
  expect(opened?.duration).toBe(200);
  expect(opened!.opacity * (1 - opened!.opacity)).toBeGreaterThan(0);
  expect(opened!.half).toBeLessThan(opened!.whole);
});

describe('the menu of narrow screens', () => {
  test('fills the height, traps the focus, and closes by button, backdrop, Escape and link', async () => {
    const visitor = await visit('/blocks', { viewport: phone });
    const { page } = visitor;
    const button = page.getByRole('button', { name: 'Open the menu' });
    const panel = page.getByRole('dialog', { name: 'Menu' });
    expect(await panel.isVisible()).toBe(false);
    expect(await page.getByRole('banner').getByRole('link', { name: 'START building' }).count()).toBe(0);

    const ways = {
      'the close button': () => panel.getByRole('button', { name: 'Close the menu' }).click(),
      // The width of a finger.
      'the backdrop': () => page.mouse.click(44, phone.height / 2),
      Escape: () => page.keyboard.press('Escape'),
    };
    for (const [way, close] of Object.entries(ways)) {
      await button.click();
      await panel.waitFor();
      await page.waitForFunction(() => document.getAnimations().length === 0);
      expect((await panel.boundingBox())?.height).toBe(phone.height);
      for (let stop = 0; stop < 20; stop += 1) {
        await page.keyboard.press('Tab');
        const inside = await panel.evaluate(
          // The browser's own controls (body) are the only other stop.
          (dialog) => dialog.contains(document.activeElement) || document.activeElement === document.body,
        );
        expect(inside).toBe(true);
      }
      await close();
      await panel.waitFor({ state: 'hidden' });
      expect([way, await focusedName(page)]).toEqual([way, 'Open the menu']);
    }

    await button.click();
    await panel.getByRole('link', { name: 'START building', exact: true }).click();
    await panel.waitFor({ state: 'hidden' });
    await page.waitForURL('**/start');
    // The link of the open page closes it as well.
    await button.click();
    await panel.getByRole('link', { name: 'START building', exact: true }).click();
    await panel.waitFor({ state: 'hidden' });
    expect(visitor.problems()).toEqual([]);
  });

  test('closes by Back, and when the screen becomes wide', async () => {
    const visitor = await visit('/blocks', { viewport: phone });
    const { page } = visitor;
    const button = page.getByRole('button', { name: 'Open the menu' });
    const panel = page.getByRole('dialog', { name: 'Menu' });
    await button.click();
    await panel.getByRole('link', { name: 'START building', exact: true }).click();
    await page.waitForURL('**/start');
    await button.click();
    await panel.waitFor();
    await page.goBack();
    await page.waitForURL('**/blocks');
    await panel.waitFor({ state: 'hidden' });

    await button.click();
    await panel.waitFor();
    // The button is still visible on a rotated phone.
    await page.setViewportSize({ width: phone.height, height: phone.width });
    expect(await panel.isVisible()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await panel.waitFor({ state: 'hidden' });
    await page.getByRole('banner').getByRole('link', { name: 'START building' }).click();
    await page.waitForURL('**/start');
    expect(visitor.problems()).toEqual([]);
  });

  test('has the links of the header, the account links and the theme', async () => {
    const visitor = await visit('/home', { viewport: phone });
    const { page } = visitor;
    await page.getByRole('button', { name: 'Open the menu' }).click();
    const panel = page.getByRole('dialog', { name: 'Menu' });
    expect(await panel.getByRole('navigation').getByRole('link').allTextContents()).toEqual([
      'HOME',
      'BLOCKS',
      'START building',
      'For indie developers',
      'For startups',
      'For agencies',
      'Study Cases',
      'Partners',
      'SUPPORT',
      'Platform Status',
      'Support Center',
      'DEVELOPERS',
    ]);
    expect(await panel.getByRole('link', { name: 'Log In' }).isVisible()).toBe(true);
    expect(await panel.getByRole('link', { name: 'Sign Up' }).isVisible()).toBe(true);
    expect(await panel.getByRole('radio').count()).toBe(3);
    expect(visitor.problems()).toEqual([]);
  });
});

test('the back-to-top button appears above 200 px of scroll, not at it, and scrolls to the top', async () => {
  const visitor = await visit('/home');
  const { page } = visitor;
  const button = page.getByRole('button', { name: 'Scroll to top' });
  const scrollTo = async (top: number) => {
    await page.evaluate(async (y) => {
      window.scrollTo({ top: y, behavior: 'instant' });
      // The scroll event fires with the next frame; the one after paints its effect.
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    }, top);
    expect(await page.evaluate(() => window.scrollY)).toBe(top);
  };
  expect(await button.count()).toBe(0);
  await scrollTo(201);
  await button.waitFor();
  await scrollTo(200);
  await button.waitFor({ state: 'hidden' });
  await scrollTo(3_000);
  await button.waitFor();
  const box = (await button.boundingBox())!;
  expect(box.width).toBe(box.height);
  expect([box.x + box.width > 1280 - 100, box.y + box.height > 900 - 100]).toEqual([true, true]);
  expect(await button.evaluate((element) => getComputedStyle(element).borderRadius)).toBe('50%');
  /** The relative luminance of an element's background. */
  const readLuminance = (element: Element) => {
    const channels = getComputedStyle(element)
      .backgroundColor.match(/[\d.]+/g)!
      .map(Number);
    const [red, green, blue] = channels.map((value) => (value / 255) ** 2.2);
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const band = await page.locator('main section').last().evaluate(readLuminance);
  expect((band + 0.05) / ((await button.evaluate(readLuminance)) + 0.05)).toBeGreaterThan(3);

  await button.click();
  await page.waitForFunction(() => window.scrollY === 0);
  await button.waitFor({ state: 'hidden' });
  expect(visitor.problems()).toEqual([]);
});

test.each([375, 768, 1024, 1280, 1440])(
  'at the end of a page of %d px the back-to-top button does not cover the footer',
  async (width) => {
    const visitor = await visit('/indie', { viewport: { width, height: 800 } });
    const { page } = visitor;
    await page.evaluate(() => {
      scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
    });
    const button = page.getByRole('button', { name: 'Scroll to top' });
    await button.waitFor();
    await page.waitForFunction(() => document.getAnimations().length === 0);
    const covered = await button.evaluate((element) => {
      const own = element.getBoundingClientRect();
      const texts = document.createTreeWalker(element.closest('footer')!, NodeFilter.SHOW_TEXT);
      const found: (string | null)[] = [];
      while (texts.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        const text = range.getBoundingClientRect();
        if (text.right > own.left && text.left < own.right && text.bottom > own.top && text.top < own.bottom)
          found.push(texts.currentNode.textContent);
      }
      return found;
    });
    expect(covered).toEqual([]);
    // On a wide screen the button is next to the column, so the links end with it.
    const gap = await button.evaluate((element) => {
      const column = element.previousElementSibling!;
      const end = column.getBoundingClientRect().right - parseFloat(getComputedStyle(column).paddingRight);
      return end - [...column.querySelectorAll('a')].at(-1)!.getBoundingClientRect().right;
    });
    if (width === 1440) expect(gap).toBeCloseTo(0);
    expect(visitor.problems()).toEqual([]);
  },
);

test('on a phone the back-to-top button is next to the content, with a target for a thumb', async () => {
  const { page } = await visit('/agencies', { viewport: phone });
  await page.evaluate(() => scrollTo({ top: 900, behavior: 'instant' }));
  const button = page.getByRole('button', { name: 'Scroll to top' });
  await button.waitFor();
  await page.waitForFunction((element) => element.getAnimations().length === 0, await button.elementHandle());
  const { covered, target } = await button.evaluate((element) => {
    const column = document.querySelector('main .wrap')!;
    const end = column.getBoundingClientRect().right - parseFloat(getComputedStyle(column).paddingRight);
    const { left, top, width, bottom } = element.getBoundingClientRect();
    const isButtonAt = (y: number) => document.elementFromPoint(left + width / 2, y) === element;
    return { covered: end - left, target: [top - 10, bottom + 10].map(isButtonAt) };
  });
  expect(covered).toBeLessThan(8);
  expect(target).toEqual([true, true]);
});

test.each(['/start', '/indie', '/startups'])(
  'the product screens of %s are named, and readable on a phone',
  async (path) => {
    const { page } = await visit(path, { viewport: phone });
    const screens = await page.locator('[role="img"][aria-label]:has(> [aria-hidden])').evaluateAll((all) =>
      all.map((screen) => {
        const texts = document.createTreeWalker(screen, NodeFilter.SHOW_TEXT);
        const sizes: number[] = [];
        while (texts.nextNode())
          sizes.push(parseFloat(getComputedStyle(texts.currentNode.parentElement!).fontSize));
        return { label: screen.getAttribute('aria-label'), smallest: Math.min(...sizes) };
      }),
    );
    expect(screens.length).toBeGreaterThanOrEqual(3);
    for (const { label, smallest } of screens) {
      expect(label).toMatch(/^.{20,}\.$/);
      expect(smallest).toBeGreaterThanOrEqual(11);
    }
  },
);

test('the parts of each week land as the week scrolls into view, and stand with reduced motion', async () => {
  const { page } = await visit('/startups', { viewport: phone });
  const last = page.locator('#plan li:last-child img').last();
  const lift = () => last.evaluate((image) => getComputedStyle(image).translate);
  expect(await lift()).toMatch(/^0px -\d/);
  await last.evaluate((image) => image.scrollIntoView({ block: 'start', behavior: 'instant' }));
  await until(async () => expect(await lift()).toMatch(/^(none|0px( 0%| 0px)?)$/));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  expect(await lift()).toBe('none');
});

test('the header stays in place while the page scrolls', async () => {
  const visitor = await visit('/agencies', { viewport: phone });
  const { page } = visitor;
  await page.evaluate(() => window.scrollTo(0, 1_500));
  expect(await page.getByRole('banner').boundingBox()).toMatchObject({ x: 0, y: 0, width: 390 });
  expect(visitor.problems()).toEqual([]);
});

test('Log In and Sign Up link to the application of the site’s mode', async () => {
  const visitor = await visit('/home');
  const banner = visitor.page.getByRole('banner');
  const target = (name: string) => banner.getByRole('link', { name }).getAttribute('href');
  // A local site is not production.
  expect(await target('Log In')).toBe(`${placeholders()}/auth/login`);
  expect(await target('Sign Up')).toBe(`${placeholders()}/auth/register`);
  expect(visitor.problems()).toEqual([]);
});

test('the sign-up link contains the plan and the visitor’s campaign', async () => {
  const { page, context } = await visit('/home?utm_source=letter&utm_campaign=may');
  await context.route(`${placeholders()}/**`, (route) =>
    route.fulfill({ body: 'The application', contentType: 'text/plain' }),
  );
  await page.getByRole('banner').getByRole('link', { name: 'START building' }).click();
  await page.getByRole('link', { name: 'Choose Startups' }).click();
  await page.waitForURL(`${placeholders()}/auth/register?plan=startups&utm_source=letter&utm_campaign=may`);
});

test('SUPPORT unfolds to both external pages; Escape, an outside click and focus loss fold it', async () => {
  const visitor = await visit('/home');
  const { page } = visitor;
  const main = page.getByRole('banner').getByRole('navigation', { name: 'Main' });
  const toggle = main.getByLabel('More support');
  const status = main.getByRole('link', { name: 'Platform Status' });
  const center = main.getByRole('link', { name: 'Support Center' });
  expect(await status.isVisible()).toBe(false);

  await toggle.press('Enter');
  await status.waitFor();
  expect(await status.getAttribute('href')).toBe(`${placeholders()}/placeholder/status/`);
  expect(await center.getAttribute('href')).toBe(`${placeholders()}/placeholder/support/`);
  await page.keyboard.press('Tab');
  expect(await focusedName(page)).toContain('Platform Status');
  await page.keyboard.press('Escape');
  await status.waitFor({ state: 'hidden' });
  expect(await focusedName(page)).toBe('More support');

  await toggle.click();
  await status.waitFor();
  await page.mouse.click(640, 700);
  await status.waitFor({ state: 'hidden' });

  await toggle.press('Enter');
  for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab');
  await status.waitFor({ state: 'hidden' });
  expect(await focusedName(page)).toBe('DEVELOPERS');
  expect(visitor.problems()).toEqual([]);
});

describe('the theme', () => {
  test.each(['light', 'dark'] as const)(
    'chosen against a %s system is stored, and applied before the first paint',
    async (system) => {
      const chosen = system === 'light' ? 'dark' : 'light';
      const visitor = await newVisitor();
      const { page } = visitor;
      await page.emulateMedia({ colorScheme: system });
      await page.addInitScript(() => {
        const schemes: string[] = [];
        Object.assign(window, { schemes });
        // Samples every frame from the first element of the body on, as a visitor could see it.
        const look = () => {
          const scheme =
            (document.body as Element | null) && getComputedStyle(document.documentElement).colorScheme;
          if (scheme && schemes.at(-1) !== scheme) schemes.push(scheme);
          requestAnimationFrame(look);
        };
        new MutationObserver((_, observer) => {
          if (!document.querySelector('body')) return;
          observer.disconnect();
          look();
        }).observe(document, { subtree: true, childList: true });
      });
      const seen = () => page.evaluate(() => (window as unknown as { schemes: string[] }).schemes);
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const frame = () =>
        page
          .locator('meta[name="theme-color"]')
          .evaluateAll((all) =>
            (all as HTMLMetaElement[]).flatMap(({ media, content }) =>
              matchMedia(media).matches ? content : [],
            ),
          );
      const frames = { light: ['#faf8f3'], dark: ['#0c1a36'] };
      await open(visitor, `${sharedSite().url}/home`);
      expect(await seen()).toEqual(['light dark']);
      const before = await background();
      expect(await frame()).toEqual(frames[system]);

      const banner = page.getByRole('banner');
      const name = chosen === 'dark' ? 'Dark' : 'Light';
      await banner.getByRole('radio', { name }).check({ force: true });
      expect(await background()).not.toBe(before);
      const after = await background();
      expect(await frame()).toEqual(frames[chosen]);

      await page.reload();
      await page.waitForSelector('html[data-interactive]', { state: 'attached' });
      expect(await seen()).toEqual([chosen]);
      expect(await background()).toBe(after);
      expect(await frame()).toEqual(frames[chosen]);
      expect(await banner.getByRole('radio', { name }).isChecked()).toBe(true);

      await banner.getByRole('radio', { name: 'System' }).check({ force: true });
      expect(await background()).toBe(before);
      expect(await frame()).toEqual(frames[system]);
      expect(visitor.problems()).toEqual([]);
    },
  );
});

test('the first Tab stop skips the header', async () => {
  const visitor = await visit('/blocks');
  const { page } = visitor;
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  expect(await focusedName(page)).toBe('Skip to content');
  expect((await skip.boundingBox())!.height).toBeGreaterThan(20);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'main');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  expect(visitor.problems()).toEqual([]);
});

test('the console contains the version notice, verbatim and once', async () => {
  const visitor = await newVisitor();
  const lines: string[] = [];
  visitor.page.on('console', (message) => lines.push(message.text()));
  await open(visitor, `${sharedSite().url}/home`);
  expect(lines.filter((line) => line.includes('Production'))).toEqual(['Production 3.0.0-beta.1']);
  expect(visitor.problems()).toEqual([]);
});

test('a page that cannot start logs the reason, and stays readable', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await page.route('**/blocks', async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace(`id="${BOOT_DATA_ID}"`, 'id="lost"') });
  });
  await page.goto(`${sharedSite().url}/blocks`);
  await until(() => expect(visitor.problems()).toHaveLength(1));
  expect(visitor.problems()[0]).toMatch(/^uncaught: The document has no #boot-data/);
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
});

test('only the link of the open policy is underlined', async () => {
  const visitor = await visit('/policies/privacy');
  const links = visitor.page.getByRole('navigation', { name: 'Policies' }).getByRole('link');
  const underlined = () =>
    links.evaluateAll((all) =>
      all
        .filter((link) => getComputedStyle(link).textDecorationLine === 'underline')
        .map((link) => link.textContent),
    );
  const names = await links.allInnerTexts();
  expect(names).toHaveLength(5);
  for (const name of names) {
    await links.filter({ hasText: name }).click();
    await until(async () => expect(await underlined()).toEqual([name]));
  }
  expect(visitor.problems()).toEqual([]);
});

test('tables on narrow screens are stacked, each cell below the name of its column', async () => {
  const visitor = await visit('/policies/support', { viewport: phone });
  const { page } = visitor;
  const table = page.getByRole('table', { name: 'Support priorities' });
  expect(
    await table.evaluate((node) => node.parentElement!.scrollWidth - node.parentElement!.clientWidth),
  ).toBe(0);
  const high = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'HIGH' }) });
  expect(await high.getByRole('cell').allInnerTexts()).toEqual([
    '1 business day',
    '85% in 1 to 2 working days',
    '7 to 9 per month',
  ]);
  const labels = await high
    .getByRole('cell')
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content.split(' / ')[0]));
  expect(labels).toEqual(['"Response"', '"Resolution"', '"Incidents"']);
  expect(visitor.problems()).toEqual([]);
});

test('the footer matches the specification', async () => {
  const visitor = await visit('/home');
  const footer = visitor.page.getByRole('contentinfo');
  const text = await footer.innerText();
  for (const line of [
    'Plug. Build. Ship.',
    'Made with love in Boulder, Colorado',
    'Remote Worldwide',
    '© 2025',
  ])
    expect(text).toContain(line);
  expect(await footer.getByRole('heading').allInnerTexts()).toEqual([
    'Company',
    'Features',
    'Developers',
    'Contact',
  ]);
  for (const name of ['X', 'LinkedIn', 'Instagram', 'Contact'])
    expect(await footer.getByRole('link', { name, exact: true }).getAttribute('href')).toMatch(
      // Placeholders of the default brand.
      /^https:|\/placeholder\//,
    );
  expect(await footer.locator('a[href^="mailto:"]').count()).toBe(1);
  expect(await footer.locator('a[href^="tel:"]').count()).toBe(1);
  expect(visitor.problems()).toEqual([]);
});

test.each(['', '   '])('the newsletter rejects the blank address "%s" and sends nothing', async (blank) => {
  const visitor = await visit('/cases');
  const { page } = visitor;
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/subscriptions')) sent.push(request.method());
  });
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Subscribe' }) });
  const note = form.getByRole('status');
  expect(await note.innerText()).toMatch(/privacy/i);

  await form.getByLabel('Email').fill(blank);
  await form.getByRole('button', { name: 'Subscribe' }).click();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  expect(await note.innerText()).toBe('You need to provide a valid email to subscribe.');
  expect(await form.getByLabel('Email').evaluate((field: HTMLInputElement) => field.required)).toBe(true);
  expect(sent).toEqual([]);
  expect(visitor.problems()).toEqual([]);
});

test('in print a page is only its text, in dark ink in both themes', async () => {
  const visitor = await visit('/policies/terms-of-service');
  const { page } = visitor;
  const banner = page.getByRole('banner');
  const surroundings = [
    banner,
    page.getByRole('region', { name: 'New blocks, in your inbox' }),
    page.getByRole('contentinfo'),
    page.getByRole('navigation', { name: 'Policies' }),
    page.getByRole('navigation', { name: 'On this page' }),
  ];
  const heading = page.getByRole('heading', { level: 1 });
  const ink = () => heading.evaluate((text) => getComputedStyle(text).color);
  for (const part of surroundings) expect(await part.isVisible()).toBe(true);
  await banner.getByRole('radio', { name: 'Light' }).check({ force: true });
  const dark = await ink();
  await banner.getByRole('radio', { name: 'Dark' }).check({ force: true });
  expect(await ink()).not.toBe(dark);

  await page.emulateMedia({ media: 'print' });
  for (const part of surroundings) expect(await part.isVisible()).toBe(false);
  expect(await heading.isVisible()).toBe(true);
  expect((await heading.boundingBox())!.y).toBeLessThan(40);
  expect(await ink()).toBe(dark);
  expect(await page.getByText('February 15, 2024').first().isVisible()).toBe(true);
  expect(visitor.problems()).toEqual([]);
});

test('in print no drawing takes half a page, no steps overlap, and headings stay with their content', async () => {
  // A4 without its margins, in px.
  const visitor = await visit('/home', { viewport: { width: 680, height: 1009 } });
  const { page } = visitor;
  await page.emulateMedia({ media: 'print' });
  const heights = await page
    .locator('main img')
    .evaluateAll((all) => all.map((image) => Math.round(image.getBoundingClientRect().height)));
  expect(heights.length).toBeGreaterThan(20);
  expect(Math.max(...heights)).toBeLessThan(1009 / 3);

  const steps = page.getByRole('region', { name: 'How does it work?' }).locator('ol > li');
  expect(await steps.count()).toBe(4);
  const places = await steps.evaluateAll((all) =>
    all.map((step) => ({
      // Grid rows are laid out before the page breaks; blocks move to the next page as a whole.
      display: getComputedStyle(step.parentElement!).display,
      inside: getComputedStyle(step).breakInside,
      top: step.getBoundingClientRect().top,
      bottom: step.getBoundingClientRect().bottom,
    })),
  );
  for (const [index, { display, inside, top }] of places.entries()) {
    expect([display, inside]).toEqual(['block', 'avoid']);
    if (index > 0) expect(top).toBeGreaterThanOrEqual(places[index - 1]!.bottom);
  }
  const headings = await page
    .locator('main :is(h1, h2, h3)')
    .evaluateAll((all) => all.map((heading) => getComputedStyle(heading).breakAfter));
  expect([...new Set(headings)]).toEqual(['avoid']);
  expect(visitor.problems()).toEqual([]);
});

test('in the dark theme an empty checkbox has the color of the page, not a browser gray', async () => {
  const visitor = await visit('/partners');
  const { page } = visitor;
  await page.emulateMedia({ colorScheme: 'dark' });
  const box = page.getByRole('checkbox', { name: 'Sells' });
  const look = () =>
    box.evaluate((element) => {
      const { appearance, backgroundColor } = getComputedStyle(element);
      return { appearance, backgroundColor, page: getComputedStyle(document.body).backgroundColor };
    });
  const empty = await look();
  expect(empty).toMatchObject({ appearance: 'none', backgroundColor: empty.page });
  await box.check();
  expect((await look()).backgroundColor).not.toBe(empty.page);
  expect(visitor.problems()).toEqual([]);
});

test('the name of the brand fits on one line of the header, even on the narrowest phone', async () => {
  const visitor = await visit('/policies/cookies', { viewport: phone });
  const { page } = visitor;
  const lines: [number, number][] = [];
  for (let width = 280; width <= 400; width += 4) {
    await page.setViewportSize({ width, height: phone.height });
    const found = await page
      .getByRole('banner')
      .getByText('Blocks', { exact: true })
      .first()
      .evaluate((name) => {
        const range = document.createRange();
        range.selectNodeContents(name);
        return range.getClientRects().length;
      });
    lines.push([width, found]);
  }
  expect(lines.filter(([, found]) => found !== 1)).toEqual([]);
  expect(visitor.problems()).toEqual([]);
});

test.each([390, 1280])('no letter of the brand’s name is cut off at %d px', async (width) => {
  const visitor = await visit('/policies/cookies', { viewport: { width, height: 800 } });
  const name = visitor.page.getByRole('banner').getByText('Blocks', { exact: true }).first();
  const { x, y, width: wide, height } = (await name.boundingBox())!;
  const picture = () => visitor.page.screenshot({ clip: { x, y, width: wide + 10, height } });
  const before = await picture();
  await name.evaluate((element) => {
    element.style.overflow = 'visible';
  });
  expect((await picture()).equals(before)).toBe(true);
  expect(visitor.problems()).toEqual([]);
});

test('tight letter spacing does not narrow the spaces between words', async () => {
  const visitor = await visit('/home');
  const tight: string[] = [];
  for (const { path } of sitePages) {
    await open(visitor, sharedSite().url + path);
    const found = await visitor.page.evaluate(() =>
      [...document.body.querySelectorAll('*')].flatMap((element) => {
        const { letterSpacing, wordSpacing, fontSize } = getComputedStyle(element);
        const text = [...element.childNodes].find(
          (node) => node instanceof Text && /\S\s+\S/.test(node.data),
        );
        const letters = parseFloat(letterSpacing) / parseFloat(fontSize);
        return text && letters < -0.0201 && parseFloat(wordSpacing) < -parseFloat(letterSpacing)
          ? (text.textContent ?? '').trim()
          : [];
      }),
    );
    tight.push(...found.map((text) => `${path}: ${text}`));
  }
  expect(tight).toEqual([]);
  expect(visitor.problems()).toEqual([]);
});

test('the prices of all plans align with the names of the plans, in one row from 768 px', async () => {
  const visitor = await visit('/start', { viewport: { width: 768, height: 1024 } });
  const { page } = visitor;
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 1024 });
    const plans = await page.locator('main article').evaluateAll((articles) =>
      articles.map((article) => {
        const price = [...article.querySelectorAll('span')].find(({ textContent }) =>
          /^\$\d/.test(textContent),
        )!;
        const box = price.getBoundingClientRect();
        const { right } = article.getBoundingClientRect();
        const line = price.parentElement!.lastElementChild!.getBoundingClientRect();
        return {
          indent: box.left - article.querySelector('h3')!.getBoundingClientRect().left,
          top: box.top,
          fits: line.right <= right,
        };
      }),
    );
    expect(plans).toEqual(plans.map(() => ({ indent: 0, top: plans[0]!.top, fits: true })));
    expect(plans).toHaveLength(3);
  }
  expect(visitor.problems()).toEqual([]);
});

test.each([390, 1280])(
  'each parts list of the agencies’ projects is one row at %d px, icons above labels',
  async (width) => {
    const visitor = await visit('/agencies', { viewport: { width, height: 800 } });
    const lists = await visitor.page.getByRole('list', { name: /^Parts for/ }).evaluateAll((found) =>
      found.map((list) => ({
        name: list.getAttribute('aria-label'),
        rows: new Set([...list.children].map((part) => part.getBoundingClientRect().top)).size,
        centered: [...list.children].every((part) => {
          const [icon, label] = [...part.children].map((child) => child.getBoundingClientRect());
          return Math.abs(icon!.left + icon!.right - label!.left - label!.right) < 2;
        }),
      })),
    );
    expect(lists).toHaveLength(6);
    expect(lists.filter(({ rows, centered }) => rows !== 1 || !centered)).toEqual([]);
    expect(visitor.problems()).toEqual([]);
  },
);

test('short columns of policy tables and the figures of the terms have room at 1280 px', async () => {
  const visitor = await visit('/policies/cookies');
  const { page } = visitor;
  const last = await page.locator('td:last-child').first().boundingBox();
  expect(last!.width).toBeGreaterThan(130);
  await open(visitor, `${sharedSite().url}/policies/terms-of-service`);
  const lines = await page.locator('main dl dd').evaluateAll((figures) =>
    figures.map((figure) => {
      const range = document.createRange();
      range.selectNodeContents(figure);
      return [figure.textContent, range.getClientRects().length];
    }),
  );
  expect(lines.filter(([, count]) => count !== 1)).toEqual([]);
  expect(visitor.problems()).toEqual([]);
});

/** The beginnings of grids with this many children and a single child in the last row, by screen width. */
async function lastAlone({ page }: Visitor, count: number): Promise<string[]> {
  const alone: string[] = [];
  for (let width = 600; width <= 1300; width += 50) {
    await page.setViewportSize({ width, height: 800 });
    const found = await page.locator('main *').evaluateAll(
      (elements, count) =>
        elements
          .filter(
            (element) => getComputedStyle(element).display === 'grid' && element.children.length === count,
          )
          .filter(({ children }) => {
            const tops = [...children].map((child) => Math.round(child.getBoundingClientRect().top));
            return new Set(tops).size === 2 && tops[0] === tops.at(-2) && tops[0] !== tops.at(-1);
          })
          .map(({ textContent }) => textContent.slice(0, 40)),
      count,
    );
    alone.push(...found.map((text) => `${width}: ${text}`));
  }
  return alone;
}

test.each(['/home', '/start', '/partners', '/agencies', '/blocks', '/blocks/auth'])(
  'four cards on %s are in rows of one, two or four, never three and one',
  async (path) => {
    const visitor = await visit(path);
    expect(await lastAlone(visitor, 4)).toEqual([]);
    expect(visitor.problems()).toEqual([]);
  },
);

test.each(['/blocks/auth', '/developers', '/support'])(
  'three cards on %s are in rows of one or three, never two and one',
  async (path) => {
    const visitor = await visit(path);
    expect(await lastAlone(visitor, 3)).toEqual([]);
    expect(visitor.problems()).toEqual([]);
  },
);

test('an error of one figure of the calculator moves no other field', async () => {
  const visitor = await visit('/agencies');
  const { page } = visitor;
  const roi = page.locator('#roi');
  for (const [wrong, beside] of [
    ['Less time per project', 'Plan price per month'],
    ['From', 'To'],
  ] as const) {
    const field = roi.getByLabel(wrong, { exact: true }).first();
    const neighbour = roi.getByLabel(beside, { exact: true }).first();
    const top = async (locator: typeof field) => (await locator.boundingBox())?.y;
    expect(await top(neighbour)).toBe(await top(field));
    await field.fill('-1');
    await roi.getByText('until then').first().waitFor();
    expect(await top(neighbour)).toBe(await top(field));
    await roi.getByRole('button', { name: 'Back to the example' }).click();
  }
  expect(visitor.problems()).toEqual([]);
});

test('no page and no table is wider than the narrowest phone', async () => {
  const visitor = await visit('/home', { viewport: { width: 320, height: 640 } });
  const wide: string[] = [];
  for (const { path } of sitePages) {
    await open(visitor, sharedSite().url + path);
    const widths = await visitor.page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('table')].map((each) =>
        Math.max(each.scrollWidth, each.getBoundingClientRect().right),
      ),
    );
    if (Math.max(...widths) > 320) wide.push(`${path}: ${Math.max(...widths)}`);
  }
  expect(wide).toEqual([]);
});

test.each([phone, { width: 1440, height: 900 }])(
  'closing band, newsletter and footer are less than a screen of $width × $height on every page',
  async (viewport) => {
    const visitor = await newVisitor({ viewport });
    const { page } = visitor;
    const heights: Record<string, number> = {};
    for (const { path } of sitePages) {
      await open(visitor, sharedSite().url + path);
      heights[path] = await page.evaluate(() => {
        const band = document.querySelector('main section[data-closing]');
        const top = (band ?? document.querySelector('main ~ section'))!.getBoundingClientRect().top;
        return document.querySelector('footer')!.getBoundingClientRect().bottom - top;
      });
    }
    const tall = Object.entries(heights).filter(([, height]) => height >= viewport.height);
    expect(tall).toEqual([]);
    // The link lists end with the page's column.
    if (viewport.width > 1400) {
      const [end, column] = await page.evaluate(() => {
        const lists = document.querySelectorAll('footer ul');
        const wrap = document.querySelector('footer > .wrap')!;
        return [
          lists[lists.length - 1]!.getBoundingClientRect().right,
          wrap.getBoundingClientRect().right - parseFloat(getComputedStyle(wrap).paddingRight),
        ];
      });
      expect(end).toBeCloseTo(column, 0);
    }
  },
);

test.each(['light', 'dark'] as const)(
  'in the %s scheme, the bands of a page have three colors',
  async (scheme) => {
    const visitor = await newVisitor();
    const { page } = visitor;
    await page.emulateMedia({ colorScheme: scheme });
    await open(visitor, `${sharedSite().url}/start`);
    const colors = await page.evaluate(() =>
      [...document.querySelectorAll('body, main section:not([data-closing]), footer')].map(
        (band) => getComputedStyle(band).backgroundColor,
      ),
    );
    expect(new Set(colors.filter((color) => color !== 'rgba(0, 0, 0, 0)')).size).toBeGreaterThanOrEqual(3);
  },
);

test('the parts of the drawing on /home arrive in less than 900 ms, and do not move with reduced motion', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  const ends = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ timeline }) => timeline instanceof DocumentTimeline)
        .map(({ effect }) => (effect as KeyframeEffect).getComputedTiming())
        .filter(({ fill }) => fill === 'both')
        .map(({ endTime }) => Number(endTime)),
    );
  await open(visitor, `${sharedSite().url}/home`);
  const moving = await ends();
  expect(moving.length).toBeGreaterThanOrEqual(6);
  expect(Math.max(...moving)).toBeLessThan(900);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  expect(await ends()).toEqual([]);
});
