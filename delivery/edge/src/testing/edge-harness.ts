import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BootData, ReleaseDocument } from '@site/contract';
import { createEdge, type Edge, type RunningEdge } from '../create-edge.ts';
import type { EdgeOptions } from '../edge-options.ts';
import { fakeToken, startFakeRegistry, type FakeRegistry } from './fake-registry.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';
import { createSampleRelease } from './sample-release.ts';
import { waitFor } from '@site/server/testing/wait-for';

export interface StartedEdge {
  edge: Edge;
  url: string;
  opsUrl: string;
  drain(): void;
  stop(): Promise<void>;
}

/** A registry, a store and a folder, and edges that use them. */
export interface EdgeHarness {
  registry: FakeRegistry;
  store: MemoryStore;
  cacheDir: string;
  logged: { message: string; problem: string }[];
  start(overrides?: Partial<EdgeOptions>): Promise<StartedEdge>;
  startServing(overrides?: Partial<EdgeOptions>): Promise<StartedEdge & { document: ReleaseDocument }>;
  close(): Promise<void>;
}

export async function createEdgeHarness(): Promise<EdgeHarness> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'edge-'));
  const registry = await startFakeRegistry();
  const store = createMemoryStore();
  const logged: EdgeHarness['logged'] = [];
  const running = new Set<RunningEdge>();
  const collect = (details: object, message: string) =>
    void logged.push({ message, problem: (details as { problem?: string }).problem ?? '' });

  async function start(overrides: Partial<EdgeOptions> = {}): Promise<StartedEdge> {
    const edge = createEdge({
      registryUrl: registry.url,
      token: fakeToken,
      store,
      channel: 'production',
      cacheDir,
      id: 'edge-1',
      pollMs: 60_000,
      restartPatienceMs: 0,
      log: { info: collect, warn: collect, error: collect },
      ...overrides,
    });
    const started = await edge.start({
      port: 0,
      host: '127.0.0.1',
      ops: { port: 0, host: '127.0.0.1' },
    });
    running.add(started);
    return {
      edge,
      url: started.url,
      opsUrl: started.opsUrl ?? '',
      drain: () => started.drain(),
      async stop() {
        running.delete(started);
        await started.close();
      },
    };
  }

  return {
    registry,
    store,
    cacheDir,
    logged,
    start,
    async startServing(overrides) {
      const document = createSampleRelease(store, { id: 'r1' });
      registry.activate(document);
      const started = await start(overrides);
      await waitFor(() => expect(started.edge.release()).toBe('r1'));
      return { ...started, document };
    },
    async close() {
      await Promise.all([...running].map((edge) => edge.close()));
      await registry.close();
      await rm(cacheDir, { recursive: true, force: true });
    },
  };
}

/** A new harness for each test of a file. Call it once, at the top level; use it only within tests. */
export function edgeHarnessForEachTest(): Omit<EdgeHarness, 'close'> {
  let harness: EdgeHarness;
  beforeEach(async () => {
    harness = await createEdgeHarness();
  });
  afterEach(() => harness.close());
  return {
    get registry() {
      return harness.registry;
    },
    get store() {
      return harness.store;
    },
    get cacheDir() {
      return harness.cacheDir;
    },
    get logged() {
      return harness.logged;
    },
    start: (overrides) => harness.start(overrides),
    startServing: (overrides) => harness.startServing(overrides),
  };
}

export function bootDataIn(html: string): BootData {
  const block = /<script type="application\/json" id="boot-data">([^]*?)<\/script>/.exec(html)?.[1];
  return JSON.parse(block ?? 'null') as BootData;
}

export function findManifest(document: ReleaseDocument, app: string) {
  const manifest = document.manifests[`${app}@${document.release.apps[app]}`];
  if (!manifest) throw new Error(`no ${app}`);
  return manifest;
}

export function sampleAsset(document: ReleaseDocument, app: string, extension: string) {
  const file = findManifest(document, app).assets.find(({ path }) => path.endsWith(`.${extension}`));
  if (!file) throw new Error(`no .${extension} of ${app}`);
  return { ...file, url: `/assets/${app}/${file.path}` };
}
