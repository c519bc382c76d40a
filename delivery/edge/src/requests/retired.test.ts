import { STATE_PATH, type ReleaseDocument, type TableAnswer } from '@site/contract';
import { cspHash } from '@site/server/csp-hash';
import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest } from '../testing/edge-harness.ts';
import { createSampleRelease, type SampleOptions } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();

/** The sample release without mfe-partners, whose page is `/partners`. */
function retiring(to: string | null, more: Partial<SampleOptions> = {}): ReleaseDocument {
  const document = createSampleRelease(harness.store, { id: 'r2', ...more });
  const { 'mfe-partners': version = '', ...apps } = document.release.apps;
  const retired = { 'mfe-partners': { version, to, paths: ['/partners'] } };
  return { ...document, release: { ...document.release, apps, retired } };
}

async function serve(document: ReleaseDocument): Promise<string> {
  const { url, edge } = await harness.startServing();
  expect((await ask(url, '/partners')).status).toBe(200);
  harness.registry.activate(document);
  await waitFor(() => expect(edge.release()).toBe(document.release.id));
  return url;
}

describe('a page of a retired app', () => {
  test('redirects to its target, and the redirect is not cacheable', async () => {
    const url = await serve(retiring('/about-us#team'));
    for (const path of ['/partners', '/partners/']) {
      const { status, headers } = await ask(url, `${path}?a=1`);
      expect([status, headers.location, headers['cache-control']]).toEqual([
        308,
        '/about-us?a=1#team',
        'no-cache',
      ]);
    }
    const { redirects, gone, routes } = JSON.parse((await ask(url, STATE_PATH)).text) as TableAnswer;
    expect(redirects).toContainEqual({ from: '/partners', to: '/about-us#team' });
    expect(gone).toBeUndefined();
    expect(routes.map(({ path }) => path)).not.toContain('/partners');
    expect((await ask(url, '/sitemap.xml')).text).not.toContain('/partners');
  });

  test('is gone without a target, and "*" does not match it', async () => {
    const url = await serve(retiring(null));
    for (const path of ['/partners', '/partners/', '/partners?a=1']) {
      const { status, headers, text } = await ask(url, path);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        410,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      expect(text).toContain('<h1>This page is gone</h1>');
      expect(text).toContain('<a href="/">');
      expect(text).toContain('<meta name="robots" content="noindex">');
    }
    expect((await ask(url, '/partners/more')).status).toBe(302);
    const { gone } = JSON.parse((await ask(url, STATE_PATH)).text) as TableAnswer;
    expect(gone).toEqual(['/partners']);
    expect((await ask(url, '/llms.txt')).text).not.toContain('/partners');
  });

  /** The same with other page markup in each variant. */
  function retiringWith(markup: Record<string, string>, shellCss = ''): ReleaseDocument {
    const document = retiring(null, { shellCss });
    const head =
      '<title>A page</title><meta property="og:site_name" content="A &amp; B"/><link rel="canonical" href="/"/>';
    const rendered = Object.entries(document.rendered).map(([path, variants]) => {
      const html = markup[path] ?? '<p>No main part</p>';
      const page = harness.store.add(JSON.stringify({ head, html }));
      return [path, Object.fromEntries(Object.keys(variants).map((key) => [key, page]))] as const;
    });
    return { ...document, rendered: Object.fromEntries(rendered) };
  }

  test('shows the message between header and footer of the other pages, without scripts and with the no-script styles', async () => {
    const frame = (of: string, header: string) =>
      `<header>${header}</header><main id="m"><main>${of}</main></main><footer>©</footer>`;
    const document = retiringWith(
      {
        '/blocks': frame('of another app', 'Theirs'),
        '/home': frame('marked', '<a aria-current="page" class="here" href="/home">Home</a>'),
        '/cases': frame('1,000 blocks', '<a href="/home">Home</a>'),
      },
      '@media (scripting: none){#theme{display:none}}@media (scripting:enabled){#menu{color:red}}',
    );
    const url = await serve(document);
    const { status, headers, text } = await ask(url, '/partners');
    expect([status, headers['cache-control'], headers['content-type']]).toEqual([
      410,
      'no-store',
      'text/html; charset=utf-8',
    ]);
    expect(text.replace(/ data-sent="[^"]*"/, '')).toContain(
      '<div id="root"><header><a href="/home">Home</a></header><main id="m"><div id="gone"><h1>This page is gone</h1>',
    );
    expect(text).toContain('</div></main><footer>©</footer></div>');
    expect(text).toContain(
      '<title>This page is gone · A &amp; B</title><meta name="robots" content="noindex">',
    );
    expect(text).toContain('>@media all{#theme{display:none}}@media not all{#menu{color:red}}<');
    for (const ofThePage of ['1,000 blocks', 'canonical', 'boot-data', 'src='])
      expect(text).not.toContain(ofThePage);
    // The shell's theme scripts stay; scripts that would look for a page do not.
    const policy = headers['content-security-policy'];
    for (const [, inline = ''] of text.matchAll(/<(?:style[^>]*|script)>(.*?)<\/(?:style|script)>/gs))
      expect(policy).toContain(`'${cspHash(inline)}'`);
  });

  test('has no current navigation link, unlike all other pages', async () => {
    const html =
      '<nav><a aria-current="page" href="/home">Home</a></nav><main>Home</main><p aria-current="true">End</p>';
    const url = await serve(retiringWith({ '/home': html }));
    expect((await ask(url, '/partners')).text).toMatch(
      /<nav><a href="\/home">Home<\/a><\/nav><main><div id="gone">.*<\/div><\/main><p>End<\/p>/,
    );
  });

  test('is rendered by the edge if no page has a main part', async () => {
    const url = await serve(retiringWith({}));
    const { status, text } = await ask(url, '/partners');
    expect([status, text.includes('<body><main><h1>This page is gone</h1>')]).toEqual([410, true]);
  });
});
