import { brotliDecompressSync } from 'node:zlib';
import { ask } from '../testing/ask.ts';
import { sampleAsset, edgeHarnessForEachTest, findManifest } from '../testing/edge-harness.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();

describe('assets', () => {
  test('are sent compressed, typed and immutable', async () => {
    const { url, document } = await harness.startServing();
    const script = sampleAsset(document, 'mfe-blocks', 'js');
    const pages = findManifest(document, 'mfe-blocks').assets[1]?.path;
    const { headers, body } = await ask(url, `/assets/mfe-blocks/${pages}`, {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      vary: 'Accept-Encoding',
      'content-length': String(body.length),
    });
    expect(brotliDecompressSync(body).toString()).toContain('mfe-blocks one');
    const again = await ask(url, script.url, {
      headers: { 'if-none-match': String((await ask(url, script.url)).headers.etag) },
    });
    expect(again.status).toBe(304);
  });

  test('are sent uncompressed if the compressed copy in the store is damaged', async () => {
    const document = createSampleRelease(harness.store, { id: 'r1' });
    const script = sampleAsset(document, 'shell', 'js');
    harness.store.corruptEncodings(script.integrity);
    harness.registry.activate(document);
    const { url, edge } = await harness.start();
    await waitFor(() => expect(edge.release()).toBe('r1'));
    const told = await ask(url, script.url, { headers: { 'accept-encoding': 'br' } });
    expect([told.status, told.headers['content-encoding'], told.text]).toEqual([
      200,
      undefined,
      'console.log("shell");'.repeat(60),
    ]);
  });

  test('of previously served releases stay available, even while registry and store are down', async () => {
    const { url, edge, document } = await harness.startServing();
    harness.registry.activate(createSampleRelease(harness.store, { id: 'r2', edition: 'two' }));
    await waitFor(() => expect(edge.release()).toBe('r2'));
    await harness.registry.goAway();
    harness.store.goAway();
    expect((await ask(url, sampleAsset(document, 'mfe-blocks', 'js').url)).text).toBe('/* mfe-blocks one */');
  });

  test('of releases that this edge never loaded are requested from the registry, once', async () => {
    const { url } = await harness.startServing();
    harness.registry.assets.set('mfe-blocks/old.abc.js', harness.store.add('old()'));
    for (let time = 0; time < 2; time += 1) {
      const { status, text, headers } = await ask(url, '/assets/mfe-blocks/old.abc.js');
      expect([status, text, headers['cache-control']]).toEqual([
        200,
        'old()',
        'public, max-age=31536000, immutable',
      ]);
    }
    expect(harness.registry.requests.filter((path) => path.endsWith('old.abc.js'))).toHaveLength(1);
    await harness.registry.goAway();
    const unknown = await ask(url, '/assets/mfe-blocks/other.abc.js');
    expect([unknown.status, unknown.headers['retry-after']]).toEqual([504, '5']);
  });

  test('with names that no build can have never reach the registry', async () => {
    const { url } = await harness.startServing();
    for (const target of [
      '/assets/shell/../x.js',
      '/assets/shell/.hidden.js',
      '/assets/Other/x.js',
      '/assets/shell/a b',
    ]) {
      expect((await ask(url, encodeURI(target))).status).toBe(404);
    }
    expect(harness.registry.requests.filter((path) => path.startsWith('/v1/assets/'))).toEqual([]);
  });

  test('are served to an open tab while another address guesses 900 names that the registry never answers', async () => {
    const { url } = await harness.startServing({ trustProxy: 1 });
    harness.registry.assets.set('mfe-blocks/old.abc.js', harness.store.add('old()'));
    const from = (address: string) => ({ headers: { 'x-forwarded-for': `192.0.2.1, ${address}` } });
    const flood = Array.from({ length: 900 }, (_, index) =>
      ask(url, `/assets/mfe-blocks/never-answered-${index}.js`, from('198.51.100.1')).catch(() => null),
    );
    await waitFor(
      () => harness.registry.requests.filter((path) => path.includes('never-answered')).length >= 8,
    );
    const told = await ask(url, '/assets/mfe-blocks/old.abc.js', from('203.0.113.1'));
    expect([told.status, told.text]).toEqual([200, 'old()']);
    expect(harness.registry.requests.filter((path) => path.includes('never-answered'))).toHaveLength(8);
    await harness.registry.goAway();
    await Promise.all(flood);
  });

  test('that were garbage-collected return 404 while the store responds', async () => {
    const { url } = await harness.startServing();
    const integrity = harness.store.add('old()');
    await harness.store.delete(integrity);
    harness.registry.assets.set('mfe-blocks/old.abc.js', integrity);
    harness.logged.length = 0;
    const { status, headers } = await ask(url, '/assets/mfe-blocks/old.abc.js');
    expect([status, headers['retry-after'], headers['cache-control']]).toEqual([404, undefined, 'no-store']);
    expect(harness.logged).toEqual([]);
    harness.store.goAway();
    harness.registry.assets.set('mfe-blocks/other.abc.js', integrity);
    expect((await ask(url, '/assets/mfe-blocks/other.abc.js')).status).toBe(504);
  });

  test("fail before the proxy's timeout if the store never responds", async () => {
    const integrity = harness.store.add('old()');
    const store = {
      ...harness.store,
      get: (wanted: string) =>
        wanted === integrity ? new Promise<never>(() => undefined) : harness.store.get(wanted),
    };
    const { url } = await harness.startServing({ store, answerWithinMs: 20 });
    harness.registry.assets.set('mfe-blocks/old.abc.js', integrity);
    expect((await ask(url, '/assets/mfe-blocks/old.abc.js')).status).toBe(504);
    expect((await ask(url, '/blocks')).status).toBe(200);
  });

  test('that are damaged in the store are not served', async () => {
    const { url } = await harness.startServing();
    const integrity = harness.store.add('old()');
    harness.registry.assets.set('mfe-blocks/old.abc.js', integrity);
    harness.store.corrupt(integrity);
    expect((await ask(url, '/assets/mfe-blocks/old.abc.js')).status).toBe(504);
    expect(harness.logged.at(-1)?.problem).toContain('is damaged');
  });
});
