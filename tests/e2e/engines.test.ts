import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { assetUrl, newsletterThanks, type BootData } from '@site/contract';
import { readPreloads } from '@site/documents/testing/read-preloads';
import { chromium, firefox } from './harness/engines/puppeteer-engine.ts';
import type { Engine, PageHandle, Profile, Tab } from './harness/engines/engine.ts';
import { webkit } from './harness/engines/webkit-engine.ts';
import { startLoggingProxy } from './harness/logging-proxy.ts';
import { releaseData } from './harness/release-data.ts';
import { sitePages, readTitle } from './harness/site-pages.ts';
import { startSite, type Site } from './harness/site.ts';
import { until } from './harness/until.ts';

/** A visitor's journeys in each engine, over TLS as in production: Secure cookies and reports require it. */
let site: Site;
beforeAll(async () => {
  site = await startSite({ https: true });
});
afterAll(() => site.stop());

const engines = [chromium, firefox, webkit];
const installed = engines.filter(({ missing }) => missing === null);
for (const { name, missing } of engines.filter((each) => !installed.includes(each)))
  test.skip(`${name} is skipped: ${String(missing)}`, () => undefined);

describe.each(installed.map((engine) => [engine.name, engine] as const))('in %s', (name, engine) => {
  const open = tabs(engine);
  let tab: Tab;

  describe('a visitor', () => {
    beforeAll(async () => {
      tab = await open();
    });

    test('sees every page hydrate without changes, within the width of the screen', async () => {
      for (const { path } of sitePages) {
        await visit(tab, path);
        const html = await tab.evaluate(async () => (await fetch(location.href)).text());
        const seen = await tab.evaluate(() => ({
          title: document.title,
          headings: document.querySelectorAll('h1').length,
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          // Fallback fonts named `-like` exist on some systems only.
          fonts: [...document.fonts]
            .filter(({ status, family }) => status === 'error' && !/-like/.test(family))
            .map(({ family }) => family),
          pictures: [...document.images].filter(
            ({ complete, naturalWidth }) => complete && naturalWidth === 0,
          ).length,
        }));
        expect([path, seen]).toEqual([
          path,
          { title: readTitle(html), headings: 1, overflow: 0, fonts: [], pictures: 0 },
        ]);
      }
    });

    test('sees rows of stories as high as their texts', async () => {
      await visit(tab, '/startups');
      const spare = await tab.evaluate(() => {
        const stories = [...document.querySelectorAll('main article dl')].map((facts) =>
          [...facts.children].map((fact) => {
            const { bottom } = fact.getBoundingClientRect();
            const text = fact.lastElementChild!.getBoundingClientRect().bottom;
            return bottom - text - parseFloat(getComputedStyle(fact).paddingBottom);
          }),
        );
        return (stories[0] ?? []).map((_, row) => Math.min(...stories.map((story) => story[row]!)));
      });
      expect(spare).toHaveLength(4);
      expect(spare.filter((height) => height > 4)).toEqual([]);
    });

    test('gets the scripts of the first view in one wave, and those of linked pages before a click', async () => {
      await visit(tab, '/home');
      const [, ...preloads] = listScripts(await readDocument('/home'));
      const early = await tab.evaluate(
        (paths) =>
          paths.map(
            (path) =>
              performance
                .getEntriesByName(new URL(path, location.href).href)
                .map((entry) => (entry as PerformanceResourceTiming).initiatorType)[0],
          ),
        preloads,
      );
      expect(early.length).toBeGreaterThanOrEqual(3);
      // Not `script`: its request would wait for the script that requests it.
      expect(early.filter((type) => !['link', 'fetch', 'early-hints'].includes(String(type)))).toEqual([]);
      await until(async () => {
        const fetched = await tab.evaluate(() =>
          performance
            .getEntriesByType('resource')
            .filter((entry) => /blocks-page\..*\.js$/.test(entry.name))
            .map((entry) => entry.initiatorType),
        );
        expect(fetched).toEqual(['fetch']);
      });
    });

    test('navigates between remotes without a reload; Back and Forward restore the scroll positions', async () => {
      await visit(tab, '/home');
      await tab.evaluate(() => void Object.assign(window, { sameDocument: true }));
      await scrollTo(tab, 900);
      await follow(tab, '/blocks');
      expect(await tab.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
      await scrollTo(tab, 700);
      await follow(tab, '/start');
      await tab.back();
      await arriveAt(tab, '/blocks', 700);
      await tab.back();
      await arriveAt(tab, '/home', 900);
      await tab.forward();
      await arriveAt(tab, '/blocks', 700);
      expect(await tab.evaluate(() => 'sameDocument' in window)).toBe(true);
    });

    test("is shown a remote's stylesheets on its own pages only, also after a return", async () => {
      const remotes = () =>
        tab.evaluate(() => {
          const applied = [...document.styleSheets].filter(({ disabled }) => !disabled);
          const names = applied.map(
            ({ href, ownerNode }) => (ownerNode as HTMLElement).dataset['href'] ?? href ?? '',
          );
          return [...new Set(names.flatMap((each) => /mfe-[a-z]+/.exec(each)?.[0] ?? []))];
        });
      await visit(tab, '/home');
      expect(await remotes()).toEqual(['mfe-marketing']);
      await follow(tab, '/blocks');
      await until(async () => expect(await remotes()).toEqual(['mfe-blocks']));
      await tab.back();
      await until(async () => expect(await remotes()).toEqual(['mfe-marketing']));
    });

    test('returns to the same scroll position after a reload, and from another document', async () => {
      await visit(tab, '/policies/privacy');
      await scrollTo(tab, 1_500);
      await tab.reload();
      await hydrated(tab);
      await arriveAt(tab, '/policies/privacy', 1_500);
      await tab.goto(`${site.forms}docs`);
      await tab.back();
      await arriveAt(tab, '/policies/privacy', 1_500);
    });

    test('stops below the header at an anchor, by address and by click', async () => {
      const isClear = (id: string) =>
        until(async () => {
          const [top, header, middle] = await tab.evaluate(
            (wanted) => [
              document.getElementById(wanted)?.getBoundingClientRect().top ?? -1,
              document.querySelector('header')?.getBoundingClientRect().bottom ?? 0,
              innerHeight / 2,
            ],
            id,
          );
          expect(top).toBeGreaterThanOrEqual(header);
          expect(top).toBeLessThan(middle);
        });
      await visit(tab, '/about-us#team');
      await isClear('team');
      await visit(tab, '/partners');
      await tab.click('main a[href="#apply"], main a[href="/partners#apply"]');
      await isClear('apply');
    });

    test('is one guest, even after a reload', async () => {
      await visit(tab, '/home');
      const token = () => tab.evaluate(() => /(?:^|; )authToken=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const readGuest = (text: string) =>
        (
          JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()) as {
            user_unique_id: string;
          }
        ).user_unique_id;
      const first = await until(async () => {
        const found = await token();
        expect(found).not.toBe('');
        return found;
      });
      await tab.reload();
      await hydrated(tab);
      expect(readGuest(await token())).toBe(readGuest(first));
    });

    test('subscribes to the newsletter after an invalid address', async () => {
      await visit(tab, '/home');
      const section = 'section:has(> * form input[name="email"])';
      const field = `${section} input[name="email"]`;
      const status = () =>
        tab.evaluate(
          (selector) => document.querySelector(`${selector} [role="status"]`)?.textContent,
          section,
        );
      await tab.click(field);
      await tab.type('a@b');
      await tab.click(`${section} button[type="submit"]`);
      await until(async () => expect(await status()).toBe('You need to provide a valid email to subscribe.'));
      await tab.click(field);
      await tab.press('Control+a');
      await tab.type(`${randomUUID()}@example.com`);
      await tab.click(`${section} button[type="submit"]`);
      await until(async () =>
        expect(await status()).toBe(`${newsletterThanks.by_mail.title} ${newsletterThanks.by_mail.text}`),
      );
      expect(await fieldValue(tab, field)).toBe('');
    });

    test('sends a referral, whose draft survives a reload', async () => {
      await visit(tab, '/partners');
      await tab.click('#refer form [name="email"]');
      await tab.type(`${randomUUID()}@example.com`);
      await tab.click('#refer form [name="to_emails"]');
      await tab.type('not an address');
      await tab.click('#refer form button[type="submit"]');
      await until(async () =>
        expect(await tab.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alert'),
      );
      await tab.click('#refer form [name="to_emails"]');
      await tab.press('Control+a');
      await tab.type('ada@example.com');
      await tab.reload();
      await hydrated(tab);
      expect(await fieldValue(tab, '#refer form [name="to_emails"]')).toBe('ada@example.com');
      await tab.click('#refer form button[type="submit"]');
      await until(async () =>
        expect(
          await tab.evaluate(() => document.querySelector('#refer [role="status"]')?.textContent),
        ).toMatch(/confirmation link/),
      );
    });

    test('finds a page by keyboard', async () => {
      await visit(tab, '/home');
      await until(async () => {
        await tab.press('Control+k');
        expect(await tab.evaluate(() => (document.activeElement as HTMLInputElement | null)?.type)).toBe(
          'search',
        );
      });
      await tab.type('pricing');
      await until(async () =>
        expect(
          await tab.evaluate(() =>
            [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent).join(' '),
          ),
        ).toMatch(/results? for “pricing”/),
      );
      await tab.press('ArrowDown');
      await tab.press('Enter');
      await until(async () => expect(await tabAddress(tab)).toBe('/start#pricing'));
    });

    test('opens the support menu, and on a phone the side panel', async () => {
      await visit(tab, '/home');
      const menu = 'header nav details:has([aria-label="More support"])';
      await tab.click('header nav [aria-label="More support"]');
      const isOpen = (selector: string) =>
        tab.evaluate((wanted) => document.querySelector(wanted)?.hasAttribute('open') ?? false, selector);
      await until(async () => expect(await isOpen(menu)).toBe(true));
      await tab.press('Escape');
      await until(async () => expect(await isOpen(menu)).toBe(false));
      await tab.resize(390, 844);
      await tab.click('button[aria-label="Open the menu"]');
      await until(async () => expect(await isOpen('dialog')).toBe(true));
      await tab.click('dialog a[href="/start"]');
      await until(async () => expect(await tabAddress(tab)).toBe('/start'));
      expect(await isOpen('dialog')).toBe(false);
      expect(
        await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
      await tab.resize(1280, 900);
    });

    test('keeps the chosen theme after a reload', async () => {
      await visit(tab, '/home');
      await tab.click('header label:has([value="dark"])');
      const isDark = () =>
        tab.evaluate(() => [
          document.documentElement.dataset['theme'],
          getComputedStyle(document.documentElement).colorScheme,
        ]);
      await until(async () => expect(await isDark()).toEqual(['dark', 'dark']));
      await tab.reload();
      await hydrated(tab);
      expect(await isDark()).toEqual(['dark', 'dark']);
      await tab.click('header label:has([value="system"])');
    });

    test('changes a figure of the calculator by keyboard, and the address follows', async () => {
      await visit(tab, '/agencies');
      await until(async () =>
        expect(await tab.evaluate(() => document.querySelectorAll('#roi input').length)).toBeGreaterThan(5),
      );
      await hydrated(tab);
      expect(await tab.evaluate(() => document.querySelector('#roi')?.textContent)).toContain('$32K');
      const projects = '#roi input[name="projects"]';
      await tab.click(projects);
      await tab.press('Control+a');
      await tab.type('6');
      await until(async () => expect(await tabAddress(tab)).toBe('/agencies?projects=6'));
    });

    test('has caused no fault and no violation report', async () => {
      const { stdout } = await site.cli('faults', '--json');
      expect(JSON.parse(stdout)).toEqual(expect.objectContaining({ faults: [] }));
      const metrics = await (await fetch(`${site.ops}/metrics`)).text();
      const counted = (kind: string) =>
        Number(new RegExp(`^site_edge_signals_total\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(metrics)?.[1]);
      expect([name, counted('faults'), counted('browser')]).toEqual([name, 0, 0]);
      expect(counted('outcome')).toBeGreaterThan(0);
    });
  });

  test('scripts of the first view arrive in one wave, and a click waits for its prefetch in flight', async () => {
    const proxy = await startLoggingProxy(site);
    const html = await readDocument('/home');
    let page: PageHandle | undefined;
    try {
      // Holds each script until all are requested: a script that waits for another one never arrives.
      proxy.hold(listScripts(html), 'all requested');
      const next = listFiles(await releaseData(site.url, readDocument), '/blocks');
      const blocks = proxy.hold(next, 'released');
      page = await engine.openWithCache(`${proxy.url}/home`, proxy.keyHash);
      const { evaluate } = page;
      await until(() => evaluate(() => 'interactive' in document.documentElement.dataset));
      await until(() => next.every((path) => proxy.paths().includes(path)));
      await evaluate(() => {
        // A click waits 4 s for a prefetch, which a busy machine exceeds before the release below.
        const { setTimeout: wait } = window;
        Object.assign(window, {
          setTimeout: (then: () => void, ms?: number) => wait(then, ms === 4_000 ? 120_000 : ms),
        });
        const link = document.querySelector<HTMLElement>('header a[href="/blocks"]');
        link?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
        link?.click();
      });
      await until(() => evaluate(() => 'navigating' in document.documentElement.dataset));
      blocks.release();
      await until(() => evaluate(() => location.pathname === '/blocks'));
      expect(proxy.overlaps()).toEqual([]);
      const files = proxy.paths().filter((path) => path.startsWith('/assets/'));
      // WebKit writes its cache after the end of a response, so a busy machine may request a file again.
      if (name !== 'WebKit') expect(files.filter((path, index) => files.indexOf(path) !== index)).toEqual([]);
    } finally {
      await page?.close();
      await proxy.close();
    }
  });

  test('pages are readable without JavaScript', async () => {
    tab = await open({ javaScript: false });
    for (const path of ['/home', '/agencies', '/search?q=auth']) {
      await tab.goto(site.url + path);
      expect((await tab.screenshot()).byteLength).toBeGreaterThan(10_000);
    }
    // Puppeteer clicks by a script in the page. In Chromium, `no-javascript.test.ts` follows the links.
    if (name === 'WebKit') {
      await tab.click('header a[href="/blocks"]');
      await tab.click('footer a[href="/about-us"]');
    }
  });

  test.each([
    ['cookies', { cookies: false }],
    ['storage', { storage: false }],
  ] as const)('with %s blocked the site works: navigation, theme, referral', async (_, profile) => {
    tab = await open(profile);
    await visit(tab, '/home');
    await tab.click('header label:has([value="dark"])');
    await until(async () =>
      expect(await tab.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark'),
    );
    await follow(tab, '/blocks');
    await visit(tab, '/partners');
    await tab.click('#refer form [name="email"]');
    await tab.type(`${randomUUID()}@example.com`);
    await tab.click('#refer form [name="to_emails"]');
    await tab.type('ada@example.com');
    await tab.click('#refer form button[type="submit"]');
    await until(async () =>
      expect(await tab.evaluate(() => document.querySelector('#refer [role="status"]')?.textContent)).toMatch(
        /confirmation link/,
      ),
    );
  });

  test('after a hostile version, a browser forgets once what scripts stored, and becomes a new guest', async () => {
    tab = await open();
    const state = () =>
      tab.evaluate(async () => ({
        stored: Object.keys(localStorage).filter((key) => /planted|theme/.test(key)),
        databases: (await indexedDB.databases()).map((database) => database.name),
        isPlanted: document.cookie.includes('authToken=planted'),
      }));
    const planted = { stored: ['newsletter:planted'], databases: ['planted'], isPlanted: true };
    await visit(tab, '/blocks');
    await until(async () => expect(await tab.evaluate(() => document.cookie)).toContain('authToken='));
    await tab.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const entry = { email: 'other@example.com', retries: 0, nextAt: Date.now() + 1_000_000 };
          localStorage.setItem('newsletter:planted', JSON.stringify(entry));
          document.cookie = 'authToken=planted; path=/; Secure; max-age=9999999';
          const opening = indexedDB.open('planted');
          opening.onsuccess = () => {
            opening.result.close();
            resolve();
          };
          opening.onerror = () => reject(new Error('no database'));
        }),
    );
    expect(await state()).toEqual(planted);
    const { code, stdout } = await site.cli('config', 'set', '--clear-browsers', '--reason', 'hostile');
    expect([code, stdout]).toEqual([0, expect.stringContaining('TOKENS_SINCE=20') as string]);
    await tab.goto(`${site.url}/start`);
    expect(await state()).toEqual({ stored: [], databases: [], isPlanted: false });

    await hydrated(tab);
    await tab.click('header label:has([value="dark"])');
    const guest = () => tab.evaluate(() => /authToken=([^;]+)/.exec(document.cookie)?.[1] ?? '');
    await until(async () => expect(await guest()).toContain('.'));
    const own = await guest();
    await tab.goto(`${site.url}/blocks`);
    expect([(await state()).stored, await guest()]).toEqual([['theme'], own]);
  });

  test('a visitor with a dark system theme gets the dark page', async () => {
    tab = await open({ dark: true });
    await visit(tab, '/home');
    const [red = 255] = (await tab.evaluate(() => getComputedStyle(document.body).backgroundColor))
      .match(/\d+/g)!
      .map(Number);
    expect(red).toBeLessThan(60);
  });
});

/** A file from the edge. */
async function readDocument(path: string): Promise<string> {
  const agent = { rejectUnauthorized: false };
  const [answer] = (await once(get(site.url + path, agent), 'response')) as [IncomingMessage];
  return text(answer);
}

/** The scripts of a document's first view: its entry and its preloads. */
function listScripts(html: string): string[] {
  const [, entry = ''] = /<script defer[^>]* src="([^"]+)"/.exec(html) ?? [];
  return [entry, ...readPreloads(html).map(({ href }) => href)];
}

/** The files that a click on a link to `path` needs. */
function listFiles({ routes, remotes }: BootData, path: string): string[] {
  const { remote, paths = [] } = routes.find((route) => route.path === path)!;
  return [remotes.find(({ name }) => name === remote)!.entry, ...paths.map((file) => assetUrl(remote, file))];
}

/** Opens browsers that are closed after the test group. */
function tabs(engine: Engine): (profile?: Profile) => Promise<Tab> {
  const opened: Tab[] = [];
  afterAll(async () => {
    await Promise.all(opened.map((tab) => tab.close()));
  });
  return async (profile) => {
    const tab = await engine.open(profile);
    opened.push(tab);
    return tab;
  };
}

async function visit(tab: Tab, path: string): Promise<void> {
  await tab.goto(site.url + path);
  await hydrated(tab);
}

function hydrated(tab: Tab): Promise<void> {
  return until(async () => {
    const silent = await tab.evaluate(() => [
      ...('interactive' in document.documentElement.dataset ? [] : ['html']),
      ...[...document.querySelectorAll('#root :is(input, select, textarea, button)')]
        .filter((control) => !Object.keys(control).some((key) => key.startsWith('__react')))
        .map((control) => control.outerHTML),
    ]);
    if (silent.length > 0) throw new Error(`Not hydrated yet: ${silent.join(' ')}`);
  });
}

async function follow(tab: Tab, path: string): Promise<void> {
  await tab.click(`header a[href="${path}"]`);
  await arriveAt(tab, path, 0);
}

const tabAddress = (tab: Tab) => tab.evaluate(() => location.pathname + location.search + location.hash);

const fieldValue = (tab: Tab, selector: string) =>
  tab.evaluate((wanted) => document.querySelector<HTMLInputElement>(wanted)?.value, selector);

const scrollTo = (tab: Tab, top: number) =>
  tab.evaluate((y) => {
    window.scrollTo(0, y);
  }, top);

function arriveAt(tab: Tab, path: string, top: number): Promise<void> {
  return until(async () => {
    const [pathname, y] = await tab.evaluate(() => [location.pathname, scrollY] as const);
    expect([pathname, Math.abs(y - top) <= 1 ? top : y]).toEqual([path, top]);
  });
}
