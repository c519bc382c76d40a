import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChannelAnswer, RemoteManifest, ShellManifest } from '@site/contract';
import type { InboxConfig } from '@site/registry/inbox/inbox-service';
import { createHarness, type Harness } from '@site/registry/testing/harness';
import { manifestBytes, remoteManifest } from '@site/registry/testing/manifests';
import type { Database } from '@site/server/open-database';
import { runHere, type Ran } from './run-here.ts';

/** The command line against a real registry, in a repository with three built apps. */
export interface SiteHarness {
  registry: Harness;
  root: string;
  url: string;
  site(...args: string[]): Promise<Ran>;
  siteWith(env: Record<string, string>, ...args: string[]): Promise<Ran>;
  siteJson<T>(...args: string[]): Promise<T>;
  writeBuild(manifest: RemoteManifest | ShellManifest): Promise<void>;
  /**
   * Simulates a concurrent change: calls `act` when the next change arrives, before the registry handles it.
   */
  beforeNextChange(act: () => Promise<unknown>): void;
  startEdge(): Promise<void>;
  stop(): Promise<void>;
}

export const blocks = (contents: number) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents });

export const blocksVersion = (contents: number) => `mfe-blocks@${blocks(contents).version}`;

export async function createSiteHarness(
  database: Database,
  inbox: InboxConfig | null = null,
): Promise<SiteHarness> {
  const registry = await createHarness(database, undefined, {}, { inbox });
  const url = await registry.listen();
  const root = await mkdtemp(join(tmpdir(), 'site-cli-'));
  await mkdir(join(root, '.data'));
  const running = { registry: url, site: 'http://localhost:8080' };
  await writeFile(join(root, '.data/running.json'), JSON.stringify(running));
  const tokens = { ops: registry.tokens.ops };
  await writeFile(join(root, '.data/tokens.json'), JSON.stringify(tokens));
  for (const app of ['mfe-blocks', 'mfe-partners', 'shell']) await mkdir(join(root, app));
  // Required by the type check.
  await mkdir(join(root, 'node_modules/@site'), { recursive: true });
  for (const path of ['node_modules/@types', 'node_modules/@site/build'])
    await symlink(join(process.cwd(), path), join(root, path));
  let stopEdge = () => Promise.resolve();

  const harness: SiteHarness = {
    registry,
    root,
    url,
    site: (...args) => harness.siteWith({}, ...args),
    siteWith: (env, ...args) => runHere(root, env, ...args),
    async siteJson<T>(...args: string[]) {
      const { code, out, err } = await harness.site(...args, '--json');
      if (code !== 0) throw new Error(err);
      return JSON.parse(out) as T;
    },
    async writeBuild(manifest) {
      const dist = join(root, manifest.app, 'dist');
      const [entry, chunk, server] = manifestBytes(manifest) as [Buffer, Buffer, Buffer];
      await mkdir(join(dist, 'browser'), { recursive: true });
      await mkdir(join(dist, 'server'), { recursive: true });
      await writeFile(join(dist, 'browser', manifest.entry), entry);
      await writeFile(join(dist, 'browser/chunk.js'), chunk);
      await writeFile(join(dist, 'server/server.js'), server);
      await writeFile(join(dist, 'version.json'), JSON.stringify(manifest));
    },
    beforeNextChange(act) {
      const { server } = registry.app;
      const listeners = server.listeners('request') as RequestListener[];
      const pass: RequestListener = (request, response) =>
        listeners.forEach((listener) => listener(request, response));
      const hold: RequestListener = (request, response) => {
        if (request.method !== 'POST') return pass(request, response);
        server.off('request', hold).on('request', pass);
        void act().then(() => pass(request, response));
      };
      server.removeAllListeners('request').on('request', hold);
    },
    async startEdge() {
      const report = async () => {
        const { body } = await registry.send<ChannelAnswer>('GET', '/v1/channels/production', { as: 'edge' });
        const { live, canaries } = body.state;
        const heartbeat = { channel: 'production', release: live, canaries };
        await registry.send('PUT', '/v1/edges/edge-1', { as: 'edge', body: heartbeat });
      };
      let reports = report();
      await reports;
      const stopListening = await database.listen('registry_channel_changed', () => {
        reports = reports.then(report);
      });
      // Lets the registry finish the last report first.
      stopEdge = () => stopListening().then(() => reports);
    },
    async stop() {
      await stopEdge();
      await registry.stop();
      await rm(root, { recursive: true });
    },
  };
  return harness;
}
