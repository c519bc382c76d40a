import { readPreloads } from '@site/documents/testing/read-preloads';
import type { Page } from 'playwright-core';
import { releaseData } from './harness/release-data.ts';
import { sharedSite } from './harness/shared-site.ts';
import { blockPages, readHeading, sitePages, readTitle } from './harness/site-pages.ts';
import { open, visitors } from './harness/visitor.ts';

interface AddedFile {
  tag: string;
  url: string;
  integrity: string;
}

/** The data that the script below leaves on `window`. */
interface Watched {
  interactiveAt: number;
  added: AddedFile[];
}

const newVisitor = visitors();

/** Records the time of hydration, and every script and stylesheet inserted into the document, even temporarily. */
function watchDocument(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const watched: Watched = { interactiveAt: Infinity, added: [] };
    Object.assign(window, { watched });
    new MutationObserver((records) => {
      for (const { type, addedNodes } of records) {
        if (type === 'attributes' && 'interactive' in document.documentElement.dataset)
          watched.interactiveAt = Math.min(watched.interactiveAt, performance.now());
        for (const node of addedNodes) {
          if (node instanceof HTMLScriptElement && node.src)
            watched.added.push({ tag: 'script', url: node.src, integrity: node.integrity });
          if (
            node instanceof HTMLLinkElement &&
            (node.rel === 'stylesheet' || (node.rel === 'preload' && node.as === 'script'))
          )
            watched.added.push({ tag: node.rel, url: node.href, integrity: node.integrity });
        }
      }
    }).observe(document, { subtree: true, childList: true, attributeFilter: ['data-interactive'] });
  });
}

const watchedIn = (page: Page) => page.evaluate(() => (window as unknown as { watched: Watched }).watched);

const unprotected = (files: AddedFile[]) =>
  files.filter(({ integrity }) => !/^sha(384|512)-/.test(integrity));

/** The scripts and stylesheets that a document's HTML names, in tags and in the list of preloads. */
function filesIn(html: string): AddedFile[] {
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  const tags = [...html.matchAll(/<(?:script|link)\b[^>]*>/g)]
    .map(([tag]) => ({
      tag,
      url: attribute(tag, 'src') || attribute(tag, 'href'),
      integrity: attribute(tag, 'integrity'),
    }))
    .filter(
      ({ tag }) =>
        / src="/.test(tag) ||
        / rel="(stylesheet|modulepreload)"/.test(tag) ||
        / as="(script|style)"/.test(tag),
    );
  return [...tags, ...readPreloads(html).map(({ href, integrity }) => ({ tag: '', url: href, integrity }))];
}

test('the list of pages matches the release’s', async () => {
  const boot = await releaseData(sharedSite().url);
  const routes = boot.routes.map(({ path, remote }) => ({ path, remote }));
  const byPath = (a: { path: string }, b: { path: string }) => a.path.localeCompare(b.path);
  expect(routes.sort(byPath)).toEqual([...sitePages, ...blockPages].sort(byPath));
});

describe.each(sitePages)('$path', ({ path, remote }) => {
  test('is complete in the HTML, under a strict policy, every file with its integrity', async () => {
    const response = await fetch(sharedSite().url + path);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(readHeading(html)).not.toBe('');
    expect(readTitle(html)).toMatch(/^\S.* · /);

    // The first `@layer` statement decides the order of the cascade layers.
    const layers = [...html.matchAll(/@layer (\w+)/g)].map(([, layer]) => layer);
    expect([...new Set(layers)]).toEqual(['tokens', 'reset', 'base', 'components']);

    const csp = response.headers.get('content-security-policy') ?? '';
    expect(csp).toContain("default-src 'none'");
    expect(csp).toContain("require-trusted-types-for 'script'");
    expect(csp).not.toContain('unsafe-');
    expect(csp).not.toMatch(/\*|https?:(?:[\s;]|$)/);

    const files = filesIn(html);
    expect(files.map(({ url }) => url)).toContainEqual(expect.stringMatching(/^\/assets\/shell\/main\./));
    expect(unprotected(files)).toEqual([]);
    // The markup needs nothing that the policy forbids.
    expect(html).not.toMatch(/<[^>]+ (?:style|on[a-z]+)="/);
  });

  test('hydrates without errors, with only its own remote’s code and without third-party requests', async () => {
    const { url, gateway, forms } = sharedSite();
    const visitor = await newVisitor();
    const { page } = visitor;
    const origins = new Set<string>();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    await watchDocument(page);
    const first = page.waitForResponse(url + path);
    await open(visitor, url + path);

    const html = await (await first).text();
    expect((await page.locator('h1').innerText()).replace(/\s+/g, ' ')).toBe(
      readHeading(html).replace(/\s+/g, ' '),
    );
    expect(await page.title()).toBe(readTitle(html));

    const { interactiveAt, added } = await watchedIn(page);
    const firstView = await page.evaluate(
      (until) =>
        performance
          .getEntriesByType('resource')
          .filter(({ startTime }) => startTime <= until)
          .map(({ name }) => new URL(name).pathname),
      interactiveAt,
    );
    const apps = new Set(firstView.map((file) => /^\/assets\/([^/]+)\//.exec(file)?.[1]));
    expect([...apps].sort()).toEqual([remote, 'shell']);
    expect(firstView).toContainEqual(
      expect.stringMatching(new RegExp(`^/assets/${remote}/remoteEntry\\.[0-9a-f]{12}\\.js$`)),
    );
    expect(unprotected(added)).toEqual([]);
    // One wave: the document names every script, so that none waits for another one to run. Excludes the guest's
    // identity and the view reports, which load when the page is idle, and lazy parts.
    const named = filesIn(html).map(({ url: file }) => file);
    const scripts = firstView.filter((file) =>
      /(?<!\/shell\/(?:identity|signals)\.[0-9a-f]*|\/later-[a-z]+\.[0-9a-f]*)\.js$/.test(file),
    );
    expect(scripts.length).toBeGreaterThan(2);
    expect(scripts.filter((file) => !named.includes(file))).toEqual([]);

    // The guest's session is the page's last own activity.
    await page.waitForFunction(() => document.cookie.includes('authToken='));
    const known = [url, gateway, forms].map((address) => new URL(address).origin);
    expect([...origins].filter((origin) => !known.includes(origin))).toEqual([]);
    expect(visitor.problems()).toEqual([]);
  });
});

test('each remote loads from its own entry when it is first needed, every file with its integrity', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await watchDocument(page);
  await open(visitor, `${sharedSite().url}/home`);
  const footer = page.getByRole('contentinfo');
  for (const [link, path] of [
    ['All blocks', '/blocks'],
    ['Partners', '/partners'],
    ['Privacy', '/policies/privacy'],
  ] as const) {
    await footer.getByRole('link', { name: link, exact: true }).click();
    await page.waitForURL(`**${path}`);
    expect(await page.locator('h1').count()).toBe(1);
  }

  const { added } = await watchedIn(page);
  const scripts = added.filter(({ tag }) => tag === 'script').map(({ url }) => new URL(url).pathname);
  const entries = scripts.filter((file) => file.includes('remoteEntry')).map((file) => file.split('/')[2]);
  expect(entries.sort()).toEqual(['mfe-blocks', 'mfe-marketing', 'mfe-partners', 'mfe-policies']);
  const styles = added.filter(({ tag }) => tag === 'stylesheet').map(({ url }) => new URL(url).pathname);
  expect(styles).toContainEqual(expect.stringMatching(/^\/assets\/mfe-policies\//));
  expect(unprotected(added)).toEqual([]);
  expect(visitor.problems()).toEqual([]);
});
