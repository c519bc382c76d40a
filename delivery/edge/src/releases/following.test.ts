import { ask } from '../testing/ask.ts';
import { sampleAsset, edgeHarnessForEachTest } from '../testing/edge-harness.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';
import { readPreloads } from '@site/documents/testing/read-preloads';

const harness = edgeHarnessForEachTest();

describe('releases', () => {
  test('before the first one, visitors see a waiting page', async () => {
    const { url, opsUrl, edge } = await harness.start();
    const told = await ask(url, '/home');
    expect([told.status, told.headers['retry-after'], told.headers['cache-control']]).toEqual([
      503,
      '5',
      'no-store',
    ]);
    expect((await ask(opsUrl, '/readyz')).status).toBe(503);
    expect((await ask(url, '/__site/ready')).status).toBe(503);
    expect((await ask(opsUrl, '/healthz')).status).toBe(200);
    expect(JSON.parse((await ask(url, '/__site/state')).text)).toEqual({ release: null, revoked: [] });
    await waitFor(() => expect(harness.registry.heartbeats).not.toHaveLength(0));
    expect(harness.registry.heartbeats[0]).toEqual({ edge: 'edge-1', release: null, canaries: [] });
    harness.registry.activate(createSampleRelease(harness.store, { id: 'r1' }));
    await waitFor(() => expect(edge.release()).toBe('r1'));
    expect((await ask(url, '/home')).status).toBe(200);
    await waitFor(async () => expect((await ask(opsUrl, '/readyz')).status).toBe(200));
    expect((await ask(url, '/__site/ready')).status).toBe(200);
  });

  test('are followed by events, and reported to the registry', async () => {
    const { url, edge } = await harness.startServing();
    harness.registry.activate(createSampleRelease(harness.store, { id: 'r2', edition: 'two' }), {
      revoked: ['r1'],
    });
    await waitFor(() => expect(edge.release()).toBe('r2'));
    expect((await ask(url, '/blocks')).text).toContain('<main>/blocks  two</main>');
    const state = await ask(url, '/__site/state?release=r1');
    expect(state.headers['cache-control']).toBe('no-store');
    expect(JSON.parse(state.text)).toEqual({ release: 'r2', revoked: ['r1'] });
    await waitFor(() => expect(harness.registry.heartbeats).toHaveLength(2));
    expect(harness.registry.heartbeats).toEqual([
      { edge: 'edge-1', release: 'r1', canaries: [] },
      { edge: 'edge-1', release: 'r2', canaries: [] },
    ]);
  });

  test('are followed by polling if an event is lost', async () => {
    const { edge } = await harness.startServing({ pollMs: 20 });
    harness.registry.activate(createSampleRelease(harness.store, { id: 'r2', edition: 'two' }), {
      silently: true,
    });
    await waitFor(() => expect(edge.release()).toBe('r2'));
    expect(edge.release()).toBe('r2');
  });

  test('are reported to the registry every five seconds, regardless of the poll interval', async () => {
    const intervals = jest.spyOn(globalThis, 'setInterval');
    await harness.startServing({ pollMs: 60_000 });
    await waitFor(() => expect(harness.registry.heartbeats).toHaveLength(1));
    for (const [again, ms] of intervals.mock.calls) if (ms === 5_000) again();
    await waitFor(() => expect(harness.registry.heartbeats).toHaveLength(2));
    expect(harness.registry.heartbeats.map(({ release }) => release)).toEqual(['r1', 'r1']);
    intervals.mockRestore();
  });

  test('are no longer awaited once the edge has stopped: it deregisters, and stops even if that request is lost', async () => {
    const first = await harness.startServing();
    expect(harness.registry.goodbyes).toEqual([]);
    await first.stop();
    expect(harness.registry.goodbyes).toEqual(['edge-1']);

    const second = await harness.start();
    await waitFor(() => expect(second.edge.release()).toBe('r1'));
    await harness.registry.goAway();
    await second.stop();
    expect(harness.registry.goodbyes).toEqual(['edge-1']);
  });

  test('that are rolled back while they load are aborted immediately and never served', async () => {
    let letThrough!: () => void;
    const held = new Promise<void>((resolve) => (letThrough = resolve));
    const bad = createSampleRelease(harness.store, { id: 'r2', edition: 'bad' });
    const slow = sampleAsset(bad, 'mfe-blocks', 'js').integrity;
    const get = async (integrity: string) => {
      const bytes = await harness.store.get(integrity);
      if (integrity === slow) await held;
      return bytes;
    };
    const { edge } = await harness.startServing({ store: { ...harness.store, get } });
    harness.registry.activate(bad);
    await waitFor(() => harness.store.reads.has(slow));
    harness.registry.activate(createSampleRelease(harness.store, { id: 'r3', edition: 'good' }), {
      revoked: ['r2'],
    });
    await waitFor(() => expect(edge.release()).toBe('r3'));
    letThrough();
    await waitFor(() => harness.registry.heartbeats.some(({ release }) => release === 'r3'));
    expect(harness.registry.heartbeats.map(({ release }) => release)).toEqual(['r1', 'r3']);
    expect(harness.logged.map(({ message }) => message)).not.toContain('cannot serve the release');
  });

  test("that change one remote read only that remote's changes", async () => {
    const { edge, document } = await harness.startServing();
    harness.store.reads.clear();
    const next = createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-blocks': 'two' } });
    harness.registry.activate(next);
    await waitFor(() => expect(edge.release()).toBe('r2'));
    const files = Object.values(document.manifests).flatMap(({ assets }) => assets);
    const others = Object.entries(document.rendered).filter(([path]) => !path.startsWith('/blocks'));
    const unchanged = [
      ...files.map(({ integrity }) => integrity),
      ...others.flatMap(([, variants]) => Object.values(variants)),
    ];
    expect(unchanged.filter((integrity) => harness.store.reads.has(integrity))).toEqual([]);
    expect(harness.store.reads.has(sampleAsset(next, 'mfe-blocks', 'js').integrity)).toBe(true);
  });

  test('are switched without a failing request or one that mixes two of them', async () => {
    const { url, edge } = await harness.startServing();
    const releases = Array.from({ length: 6 }, (_, index) =>
      createSampleRelease(harness.store, { id: `r${index + 2}`, edition: `edition-${index + 2}` }),
    );
    let isDone = false;
    let requests = 0;
    const load = async () => {
      while (!isDone) {
        const { status, text } = await ask(url, '/blocks');
        expect(status).toBe(200);
        const [, edition = ''] = /<main>\/blocks {2}([\w-]+)<\/main>/.exec(text) ?? [];
        const script = readPreloads(text)[0]?.href ?? '';
        const asset = await ask(url, script);
        expect([asset.status, asset.text]).toEqual([200, `/* mfe-blocks ${edition} */`]);
        requests += 1;
      }
    };
    const visitors = [load(), load(), load()];
    for (const release of releases) {
      const before = requests;
      harness.registry.activate(release);
      await waitFor(() => edge.release() === release.release.id && requests > before);
    }
    isDone = true;
    await Promise.all(visitors);
  });

  test.each(['a script', 'a rendered page'])(
    'with %s that is damaged in the store are rejected',
    async (what) => {
      const { url, opsUrl, edge } = await harness.startServing({ pollMs: 20 });
      const bad = createSampleRelease(harness.store, { id: 'r2', edition: 'two' });
      const integrity =
        what === 'a script'
          ? sampleAsset(bad, 'mfe-blocks', 'js').integrity
          : String(bad.rendered['/blocks']?.['']);
      harness.store.corrupt(integrity);
      harness.registry.activate(bad, { revoked: ['r7'] });
      await waitFor(() => harness.logged.some(({ message }) => message === 'cannot serve the release'));
      expect(harness.logged.at(-1)?.problem).toContain('is damaged');
      expect(edge.release()).toBe('r1');
      expect((await ask(url, '/blocks')).text).toContain('<main>/blocks  one</main>');
      const state = await ask(url, '/__site/state?release=r7');
      expect(JSON.parse(state.text)).toEqual({ release: 'r1', revoked: ['r7'] });
      expect((await ask(opsUrl, '/metrics')).text).toMatch(/site_edge_release_refusals_total [1-9]/);

      harness.registry.activate(createSampleRelease(harness.store, { id: 'r3', edition: 'three' }));
      await waitFor(() => expect(edge.release()).toBe('r3'));
      expect(harness.logged.filter(({ message }) => message === 'cannot serve the release')).toHaveLength(1);
    },
  );

  test('that a channel does not have yet are awaited, and this is logged once', async () => {
    const { edge } = await harness.start({ pollMs: 5 });
    const waits = () => harness.logged.filter(({ message }) => message.includes('waits for the first one'));
    await waitFor(() => expect(waits()).not.toHaveLength(0));
    harness.registry.activate(createSampleRelease(harness.store, { id: 'r1' }));
    await waitFor(() => expect(edge.release()).toBe('r1'));
    expect(waits()).toHaveLength(1);
  });

  test('stay while the registry is down, and are followed again when it is back', async () => {
    const { url, edge } = await harness.startServing({ pollMs: 20 });
    await harness.registry.goAway();
    await waitFor(() =>
      harness.logged.some(({ message }) => message.startsWith('the registry does not answer')),
    );
    expect((await ask(url, '/blocks')).status).toBe(200);
    harness.registry.activate(createSampleRelease(harness.store, { id: 'r2', edition: 'two' }));
    await harness.registry.comeBack();
    await waitFor(() => expect(edge.release()).toBe('r2'));
    expect(harness.logged.map(({ message }) => message)).toContain('the registry is back');
  });
});
