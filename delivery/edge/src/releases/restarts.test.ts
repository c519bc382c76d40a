import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ask } from '../testing/ask.ts';
import { sampleAsset, edgeHarnessForEachTest, findManifest } from '../testing/edge-harness.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { bytesIn, limitDisk, unlimitDisk } from '../testing/small-disk.ts';
import { waitFor } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();
const keptFile = () => join(harness.cacheDir, 'production.json');
type Kept = Record<string, unknown> & { state: Record<string, unknown> };
const keptOnDisk = async () => JSON.parse(await readFile(keptFile(), 'utf8')) as Kept;

describe('releases', () => {
  test('survive a restart without registry, with the files of previous ones', async () => {
    const first = await harness.startServing();
    harness.registry.activate(createSampleRelease(harness.store, { id: 'r2', edition: 'two' }), {
      revoked: ['r1'],
    });
    await waitFor(() => expect(first.edge.release()).toBe('r2'));
    await first.stop();
    await harness.registry.goAway();

    const second = await harness.start();
    await waitFor(() => expect(second.edge.release()).toBe('r2'));
    expect((await ask(second.url, '/blocks')).text).toContain('<main>/blocks  two</main>');
    expect((await ask(second.url, sampleAsset(first.document, 'mfe-blocks', 'js').url)).status).toBe(200);
    expect(JSON.parse((await ask(second.url, '/__site/state?release=r1')).text)).toEqual({
      release: 'r2',
      revoked: ['r1'],
    });
  });

  test('from disk get no traffic before the registry has answered', async () => {
    const first = await harness.startServing();
    await first.stop();
    harness.registry.activate(createSampleRelease(harness.store, { id: 'r2', edition: 'two' }));
    const second = await harness.start();
    await waitFor(async () => expect((await ask(second.opsUrl, '/readyz')).status).toBe(200));
    expect(second.edge.release()).toBe('r2');

    await second.stop();
    await harness.registry.goAway();
    const alone = await harness.start();
    await waitFor(async () => expect((await ask(alone.opsUrl, '/readyz')).status).toBe(200));
    expect(alone.edge.release()).toBe('r2');
  });

  describe('releases from disk', () => {
    const main = async (url: string) => {
      const { status, text } = await ask(url, '/blocks');
      return [status, /<main>\/blocks {2}(\w+)</.exec(text)?.[1] ?? null];
    };

    test('are hidden until the registry has answered: a release that was rolled back in the meantime is never shown', async () => {
      const first = await harness.startServing();
      harness.registry.activate(createSampleRelease(harness.store, { id: 'r2', edition: 'bad' }));
      await waitFor(() => expect(first.edge.release()).toBe('r2'));
      await first.stop();
      harness.registry.activate(createSampleRelease(harness.store, { id: 'r3', edition: 'good' }), {
        revoked: ['r2'],
      });
      await harness.registry.goAway();

      const { url, opsUrl, edge } = await harness.start({ pollMs: 20, restartPatienceMs: 600_000 });
      await waitFor(() =>
        harness.logged.some(({ message }) => message.startsWith('the registry does not answer')),
      );
      expect([edge.release(), await main(url)]).toEqual([null, [503, null]]);
      const { headers, text } = await ask(url, '/home');
      // The waiting page is responsive, reloads itself and allows its own styles.
      expect(text).toMatch(/http-equiv="refresh" content="5">.*name="viewport".*<h1>One moment<\/h1>/);
      const [, style = ''] = /<style>(.*?)<\/style>/.exec(text) ?? [];
      expect(headers['content-security-policy']).toContain(
        `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      );
      expect((await ask(opsUrl, '/readyz')).status).toBe(503);
      const reported = harness.registry.heartbeats.length;
      await harness.registry.comeBack();
      await waitFor(() => expect(edge.release()).not.toBeNull());
      expect(await main(url)).toEqual([200, 'good']);
      await waitFor(() => expect(harness.registry.heartbeats.length).toBeGreaterThan(reported));
      expect(harness.registry.heartbeats.slice(reported).map(({ release }) => release)).not.toContain('r2');
    });

    test('are shown if the registry stays down', async () => {
      const first = await harness.startServing();
      await first.stop();
      await harness.registry.goAway();
      const { url, edge } = await harness.start({ restartPatienceMs: 1 });
      await waitFor(() => expect(edge.release()).toBe('r1'));
      expect(await main(url)).toEqual([200, 'one']);
    });

    test('are not shown if they were rolled back and their replacement cannot be loaded', async () => {
      const first = await harness.startServing();
      await first.stop();
      const good = createSampleRelease(harness.store, { id: 'r2', edition: 'good' });
      const { assets } = findManifest(good, 'mfe-blocks');
      for (const { integrity } of assets) harness.store.corrupt(integrity);
      harness.registry.activate(good, { revoked: ['r1'] });
      const { url, edge } = await harness.start({ pollMs: 20, restartPatienceMs: 600_000 });
      await waitFor(() => harness.logged.some(({ message }) => message === 'cannot serve the release'));
      expect([edge.release(), await main(url)]).toEqual([null, [503, null]]);
    });
  });

  describe('that do not fit on the disk next to previous ones', () => {
    afterEach(unlimitDisk);
    /** As with real releases, its files are larger than its document. */
    const activate = (id: string) => {
      const hashes = Array.from({ length: 3_000 }, (_, index) =>
        createHash('sha256').update(`${id} ${index}`).digest('hex'),
      );
      const shellCss = `/* ${hashes.join('')} */`;
      harness.registry.activate(createSampleRelease(harness.store, { id, edition: id, shellCss }));
    };
    const isKept = (id: string) => async () => {
      const kept = (await keptOnDisk().catch(() => null)) as { live?: { release: { id: string } } } | null;
      return kept?.live?.release.id === id;
    };

    test('are stored with all their files after previous ones are deleted', async () => {
      const first = await harness.startServing({ isStoreRemote: true });
      for (const id of ['r2', 'r3', 'r4']) {
        activate(id);
        await waitFor(isKept(id));
      }
      limitDisk(harness.cacheDir, bytesIn(harness.cacheDir) + 100);
      for (const id of ['r5', 'r6', 'r7', 'r8']) {
        activate(id);
        await waitFor(isKept(id));
      }
      await first.stop();
      expect(harness.logged.map(({ message }) => message)).toContain(
        'cannot keep copies of the store on this disk',
      );
      const names = await readdir(harness.cacheDir, { recursive: true });
      expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);

      await harness.registry.goAway();
      harness.store.goAway();
      const alone = await harness.start({ isStoreRemote: true });
      await waitFor(() => expect(alone.edge.release()).toBe('r8'));
      expect((await ask(alone.url, '/blocks')).text).toContain('<main>/blocks  r8</main>');
    });

    test('leave nothing behind if they do not fit at all, and the next one that fits is stored', async () => {
      const first = await harness.startServing({ isStoreRemote: true });
      await waitFor(isKept('r1'));
      const filled = bytesIn(harness.cacheDir);
      limitDisk(harness.cacheDir, 0);
      activate('r2');
      const refused = () =>
        harness.logged.some(({ message }) => message === 'cannot remember the release on disk');
      await waitFor(refused);
      expect(first.edge.release()).toBe('r2');
      const incomplete = async () => (await ask(first.opsUrl, '/metrics')).text;
      expect(await incomplete()).toContain('site_edge_cache_incomplete 1');
      expect(bytesIn(harness.cacheDir)).toBeLessThanOrEqual(filled);
      expect((await readdir(harness.cacheDir, { recursive: true })).join()).not.toContain('.tmp');
      expect(await isKept('r1')()).toBe(true);

      unlimitDisk();
      activate('r3');
      await waitFor(isKept('r3'));
      await waitFor(async () => expect(await incomplete()).toContain('site_edge_cache_incomplete 0'));
      await first.stop();
      await harness.registry.goAway();
      harness.store.goAway();
      const alone = await harness.start({ isStoreRemote: true });
      await waitFor(() => expect(alone.edge.release()).toBe('r3'));
    });
  });

  test('that are damaged on disk are fetched again', async () => {
    await writeFile(keptFile(), '{"half": ');
    const { edge } = await harness.startServing();
    expect(harness.logged[0]?.message).toBe('cannot serve the release remembered on disk');
    expect(edge.release()).toBe('r1');
  });

  test('are written to disk atomically', async () => {
    const { edge, stop, document } = await harness.startServing();
    await stop();
    expect(await keptOnDisk()).toMatchObject({ live: document });
    expect(edge.release()).toBe('r1');
  });
});
