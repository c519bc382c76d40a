import type { ReleaseDocument } from '@site/contract';
import { ask } from '../testing/ask.ts';
import { bootDataIn, edgeHarnessForEachTest } from '../testing/edge-harness.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { until } from '../testing/until.ts';

const harness = edgeHarnessForEachTest();

/** The sample release without mfe-partners, whose page is `/partners`. */
function retiring(to: string | null): ReleaseDocument {
  const document = createSampleRelease(harness.store, { id: 'r2' });
  const { 'mfe-partners': version = '', ...apps } = document.release.apps;
  const retired = { 'mfe-partners': { version, to, paths: ['/partners'] } };
  return { ...document, release: { ...document.release, apps, retired } };
}

async function serve(document: ReleaseDocument): Promise<string> {
  const { url, edge } = await harness.startServing();
  expect((await ask(url, '/partners')).status).toBe(200);
  harness.registry.activate(document);
  await until(() => edge.release() === document.release.id);
  return url;
}

describe('a page of an app that is retired', () => {
  test('leads to its target, which nobody keeps for longer than it is so', async () => {
    const url = await serve(retiring('/about-us#team'));
    for (const path of ['/partners', '/partners/']) {
      const { status, headers } = await ask(url, `${path}?a=1`);
      expect([status, headers.location, headers['cache-control']]).toEqual([
        308,
        '/about-us?a=1#team',
        'no-cache',
      ]);
    }
    const { redirects, gone, routes } = bootDataIn((await ask(url, '/start')).text);
    expect(redirects).toContainEqual({ from: '/partners', to: '/about-us#team' });
    expect(gone).toBeUndefined();
    expect(routes.map(({ path }) => path)).not.toContain('/partners');
    expect((await ask(url, '/sitemap.xml')).text).not.toContain('/partners');
  });

  test('is gone without a target, and "*" does not take it', async () => {
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
    expect(bootDataIn((await ask(url, '/start')).text).gone).toEqual(['/partners']);
    expect((await ask(url, '/llms.txt')).text).not.toContain('/partners');
  });
});
