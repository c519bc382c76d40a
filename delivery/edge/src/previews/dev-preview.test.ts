import type { ReleaseDocument } from '@site/contract';
import { ask } from '../testing/ask.ts';
import { bootDataIn } from '../testing/edge-harness.ts';
import { samplePreview } from '../testing/fake-registry.ts';
import { linkId, linkTo, open, previewSite } from '../testing/preview-site.ts';

const { harness, start } = previewSite();

describe('a dev preview', () => {
  const dev = 'http://localhost:3002';
  const addDev = (document: ReleaseDocument) =>
    harness.registry.previews.set(linkId, { document, preview: samplePreview({ version: null, dev }) });
  async function openDev() {
    const { url, document } = await start();
    addDev(document);
    return { url, visitor: await open(url) };
  }

  test("loads one remote from the developer's machine, not prerendered, and everything else from the site", async () => {
    const { url, visitor } = await openDev();
    const { text } = await ask(url, '/blocks', visitor);
    const boot = bootDataIn(text);
    expect(boot.remotes.find(({ name }) => name === 'mfe-blocks')).toEqual({
      name: 'mfe-blocks',
      version: 'dev',
      entry: `${dev}/assets/mfe-blocks/remoteEntry.js`,
      integrity: '',
      scripts: [],
      dev: true,
    });
    expect(text).toContain('<div id="root"></div>');
    expect(text).toContain(`Preview of mfe-blocks from ${dev}.`);
    expect(text).not.toContain('/assets/mfe-blocks/pages');
    const home = await ask(url, '/start', visitor);
    expect(home.text).toContain('<main>/start  one</main>');
    expect(bootDataIn(home.text).remotes.filter(({ entry }) => entry.startsWith('http'))).toHaveLength(1);
  });

  test("leaves unpublished pages to the shell, which queries the developer's machine; missing files are not found", async () => {
    const { url, visitor } = await openDev();
    const { status, text } = await ask(url, '/blocks/new', visitor);
    expect([status, bootDataIn(text).rendered]).toEqual([200, null]);
    expect(bootDataIn(text).dev).toEqual({ release: 'r1', table: `${dev}/__dev/table.json` });
    expect((await ask(url, '/blocks/new.png', visitor)).status).toBe(404);
    expect((await ask(url, '/blocks/new')).headers.location).toBe('/home');
  });

  test('of an unreleased app has its pages, even where a retired address redirects elsewhere', async () => {
    const { url, document } = await start();
    const retired = { version: '1.0.0-000000000001', to: '/blocks', paths: ['/careers'] };
    harness.registry.previews.set(linkId, {
      document: { ...document, release: { ...document.release, retired: { 'mfe-careers': retired } } },
      preview: samplePreview({ app: 'mfe-careers', version: null, dev }),
    });
    const visitor = await open(url);
    const { status, text } = await ask(url, '/careers', visitor);
    expect(status).toBe(200);
    const { dev: developed, remotes, rendered } = bootDataIn(text);
    expect([developed?.table, rendered]).toEqual([`${dev}/__dev/table.json`, null]);
    expect(remotes.find(({ name }) => name === 'mfe-careers')).toMatchObject({
      entry: `${dev}/assets/mfe-careers/remoteEntry.js`,
      dev: true,
    });
    expect(text).not.toMatch(/<link[^>]*\/assets\/mfe-/);
    expect((await ask(url, '/blocks', visitor)).text).toContain('<main>/blocks  one</main>');
  });

  test('requires confirmation that names its origin', async () => {
    const { url, document } = await start();
    addDev(document);
    const asked = await ask(url, linkTo(linkId));
    expect([asked.status, asked.headers['set-cookie']]).toEqual([200, undefined]);
    expect(asked.text).toContain(`<h1>Preview of <span>mfe-blocks</span> from ${dev}</h1>`);
  });

  test('allows exactly that origin in its CSP, only in that browser', async () => {
    const { url, visitor } = await openDev();
    const policy = async (options: Parameters<typeof ask>[2]) =>
      String((await ask(url, '/blocks', options)).headers['content-security-policy']);
    const directives = (await policy(visitor)).split('; ');
    expect(
      directives.filter((directive) => directive.includes(dev)).map((directive) => directive.split(' ')[0]),
    ).toEqual(['script-src', 'style-src', 'img-src', 'font-src', 'connect-src']);
    expect(directives.find((directive) => directive.startsWith('connect-src'))).toContain(
      `${dev} ws://localhost:3002`,
    );
    expect(directives.join()).not.toContain('unsafe');
    expect(await policy({})).not.toContain('localhost');
  });
});
