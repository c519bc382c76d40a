import type { ReleaseDocument, RemoteManifest } from '@site/contract';
import { createDocumentLimits } from '@site/documents/document-limits';
import { ask } from '../testing/ask.ts';
import { createEdgeHarness, findManifest, type EdgeHarness } from '../testing/edge-harness.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';

let harness: EdgeHarness;
beforeEach(async () => {
  harness = await createEdgeHarness();
});
afterEach(() => harness.close());

function findRemote(document: ReleaseDocument): RemoteManifest {
  const manifest = findManifest(document, 'mfe-blocks');
  if (manifest.kind !== 'remote') throw new Error('mixed up');
  return manifest;
}

function releaseWith(path: string, text: string): ReleaseDocument {
  const document = createSampleRelease(harness.store, { id: 'r1' });
  findRemote(document).assets.push({ path, size: text.length, integrity: harness.store.add(text) });
  return document;
}

test.each(['login.html', 'page.xhtml', 'data.xml', 'notes.txt', 'manual.pdf'])(
  "a build's %s is downloaded or gets an opaque origin, and never opens on the site's origin",
  async (path) => {
    harness.registry.activate(releaseWith(path, '<h1>Your password, please</h1>'));
    const { edge, url } = await harness.start();
    await waitFor(() => expect(edge.release()).toBe('r1'));
    const { status, headers } = await ask(url, `/assets/mfe-blocks/${path}`);
    expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
      200,
      'application/octet-stream',
      'attachment',
    ]);
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none';/);
  },
);

test("a build's drawing runs no scripts, and has an opaque origin when opened as a page", async () => {
  harness.registry.activate(releaseWith('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'));
  const { edge, url } = await harness.start();
  await waitFor(() => expect(edge.release()).toBe('r1'));
  const { headers } = await ask(url, '/assets/mfe-blocks/a.svg');
  expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
  expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none';/);
});

test('browsers are instructed to require the integrity of every script', async () => {
  const { url } = await harness.startServing();
  const { headers } = await ask(url, '/blocks');
  expect(headers['integrity-policy']).toBe('blocked-destinations=(script), endpoints=(site)');
});

test('a release in which two remotes own one page is rejected, and the previous one stays', async () => {
  const { edge } = await harness.startServing();
  const mixed = createSampleRelease(harness.store, { id: 'r2', edition: 'two' });
  const partners = findManifest(mixed, 'mfe-partners');
  if (partners.kind !== 'remote') throw new Error('mixed up');
  partners.pages.push(findRemote(mixed).pages[0]!);
  harness.registry.activate(mixed);
  await waitFor(() =>
    expect(harness.logged.map(({ problem }) => problem).join()).toContain('two remotes own /blocks'),
  );
  expect(edge.release()).toBe('r1');
});

test('a release with an oversized document is rejected, and the previous one stays', async () => {
  const { edge } = await harness.startServing();
  const large = createSampleRelease(harness.store, { id: 'r2', edition: 'two' });
  const remote = findRemote(large);
  const css = `a{--x:"${'x'.repeat(1_000_000)}"}`;
  remote.assets.push({ path: 'large.css', size: css.length, integrity: harness.store.add(css) });
  remote.pages = remote.pages.map((page) => ({ ...page, css: ['large.css'] }));
  harness.registry.activate(large);
  await waitFor(() => harness.logged.some(({ problem }) => problem.includes('the limit is 1000000')));
  expect(edge.release()).toBe('r1');
});

test('the documents of one remote also have a total limit', () => {
  const remote = { app: 'mfe-a', version: '1.0.0-000000000001' } as RemoteManifest;
  const page = { path: '/a', module: './a', js: [], css: [] };
  const limits = createDocumentLimits();
  for (let count = 0; count < 67; count += 1) limits.add(remote, page, 1_000_000);
  expect(() => limits.add(remote, page, 1_000_000)).toThrow('the limit for a version is 67108864');
});
