import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createDiskStore } from '@site/artifacts/disk-store';
import { integrityHex, computeIntegrity } from '@site/contract/integrity';
import type { SiteStore } from '@site/artifacts/record-store';
import type {
  ChangeAnswer,
  ChannelAnswer,
  Release,
  RemoteManifest,
  ShellManifest,
  SiteConfig,
  VersionManifest,
} from '@site/contract';
import type { Database } from '@site/server/open-database';
import { createToken } from '@site/server/secrets';
import { startServer } from '@site/server/start-server';
import { emptySchema } from '@site/server/testing/empty-schema';
import { keepRows } from '@site/server/testing/keep-rows';
import { createAuditKey } from '../upkeep/audit-key.ts';
import { createRegistryApp } from '../create-registry-app.ts';
import type { AskFormContracts } from '../versions/forms-service.ts';
import type { InboxConfig } from '../inbox/inbox-service.ts';
import { registryMigrations } from '../kernel/migrations.ts';
import type { RegistryTables } from '../kernel/tables.ts';
import { CHANNEL_CHANGED } from '../kernel/notices.ts';
import { forEachSettled } from '../kernel/scheduling.ts';
import type { Cache } from '../purging/caches.ts';
import type { RegistryLimits } from '../versions/limits.ts';
import { createFakeComposer, type FakeComposer } from './fake-composer.ts';
import { holdToContract } from './hold-to-contract.ts';
import { manifestBytes, remoteManifest, shellManifest } from './manifests.ts';
import { waitFor } from '@site/server/testing/wait-for';

export const siteConfig: SiteConfig = {
  origin: 'http://localhost:8080',
  mode: 'staging',
  gateway: { base: 'http://localhost:8081/', appId: 'app' },
  forms: { base: 'http://localhost:8082/', appId: 'app' },
};

/** The same for every registry of a test. */
export const testAuditKey = createAuditKey('a'.repeat(43));

const tokens = {
  ops: createToken(),
  read: createToken(),
  edge: createToken(),
  blocks: createToken(),
  activator: createToken(),
};
type TokenName = keyof typeof tokens;

interface Sent {
  as?: TokenName;
  body?: object | Buffer;
  headers?: Record<string, string>;
}

/** The response fields that tests use; their presence depends on the route. */
export interface Body extends Omit<ChannelAnswer & ChangeAnswer, 'release' | 'canary'> {
  release: Release;
  errors: { status: string; code: string; detail: string; source?: { pointer?: string } }[];
  missing: string[];
  created: boolean;
}

export interface Harness {
  app: FastifyInstance;
  store: SiteStore;
  composer: FakeComposer;
  database: Database;
  tokens: typeof tokens;
  /** The forms that the forms service at an address accepts. Default: no response. */
  askForms: AskFormContracts;
  /** Replaces the forms service. */
  setFormsService(service: AskFormContracts): void;
  clock: { now: Date };
  /** Of the registry's machine. */
  clockSkewMs: number;
  send<T = Body>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    sent?: Sent,
  ): Promise<{ status: number; body: T }>;
  publish(
    manifest: RemoteManifest | ShellManifest,
    sent?: Sent & { query?: string },
  ): Promise<{ status: number; body: Body }>;
  activate(apps: Record<string, string>, more?: object, sent?: Sent): Promise<{ status: number; body: Body }>;
  rollBack(body: object, sent?: Sent): Promise<{ status: number; body: Body }>;
  /** Certificate expiry of any origin. Default: unknown. */
  certificateEnds: Date | null;
  failingServices: Map<string, string>;
  /** The guard and alerts run on demand in tests. */
  look(): Promise<void>;
  /** Publishes a shell and two remotes and makes them live as the first release: see `once`. */
  startSite(): Promise<{ shell: VersionManifest; blocks: VersionManifest; partners: VersionManifest }>;
  /**
   * Creates a state, or restores the rows and files that another registry over the same database had in it, which takes
   * a sixth of the time. Never restores into a registry with a request or a changed clock.
   * @param state any name; the same one for the same `make`.
   */
  once(state: unknown, make: () => Promise<void>): Promise<void>;
  listen(): Promise<string>;
  stop(): Promise<void>;
}

interface KeptState {
  putBackRows: () => Promise<void>;
  files: Map<string, Buffer>;
}

const keptStates = new WeakMap<Database, Map<unknown, KeptState>>();

/**
 * A registry with an empty schema, over a database shared by sequential tests.
 * @param kept the folder of its files. Default: a new folder.
 */
export async function createHarness(
  database: Database,
  kept?: SiteStore,
  limits: Partial<RegistryLimits> = {},
  { inbox = null, caches = [] }: { inbox?: InboxConfig | null; caches?: readonly Cache[] } = {},
): Promise<Harness> {
  await emptySchema(database, 'registry', registryMigrations);
  const folder = await mkdtemp(join(tmpdir(), 'registry-'));
  const store = kept ?? createDiskStore(folder);
  const composer = createFakeComposer();
  const clock = { now: new Date('2026-01-01T12:00:00.000Z') };
  const begins = clock.now;
  let requests = 0;
  const looks: (() => Promise<void>)[] = [];
  const app = await createRegistryApp({
    database,
    store,
    composer,
    auditKey: testAuditKey,
    askForms: (base) => harness.askForms(base),
    limits,
    inbox,
    caches,
    outsideChecks: {
      certificateEnd: () => Promise.resolve(harness.certificateEnds),
      serviceProblem: (base) => Promise.resolve(harness.failingServices.get(base) ?? null),
    },
    clock: {
      now: () => clock.now,
      skewMs: () => harness.clockSkewMs,
      measure: () => Promise.resolve(),
    },
    lookAgain(given) {
      looks.push(given);
      return () => Promise.resolve();
    },
    bootstrapTokens: [
      { name: 'olivia', token: tokens.ops, scopes: ['ops'] },
      { name: 'reader', token: tokens.read, scopes: ['read'] },
      { name: 'edge', token: tokens.edge, scopes: ['edge:edge-1'] },
      { name: 'ci-blocks', token: tokens.blocks, scopes: ['publish:mfe-blocks'] },
      { name: 'ben', token: tokens.activator, scopes: ['activate:mfe-blocks'] },
    ],
  });

  const tables = database.schema<RegistryTables>('registry');
  const headOfLog = async () =>
    (await tables.selectFrom('audit_head').select('sequence').executeTakeFirstOrThrow()).sequence;
  /** The log is anchored in the background, after each change. */
  async function anchored(): Promise<void> {
    await waitFor(async () => {
      const last = await tables.selectFrom('audit_anchored').select('sequence').executeTakeFirst();
      return (last?.sequence ?? 0) === (await headOfLog());
    });
  }

  async function keep(): Promise<KeptState> {
    await anchored();
    const files = new Map<string, Buffer>();
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      // Anchors may be thinned out concurrently.
      const bytes = entry.isFile() ? await readFile(path).catch(() => null) : null;
      if (bytes) files.set(path.slice(folder.length), bytes);
    }
    return { putBackRows: await keepRows(database, 'registry'), files };
  }

  async function putBack({ putBackRows, files }: KeptState): Promise<void> {
    for (const [name, bytes] of files) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), bytes);
    }
    await putBackRows();
    // Notifies the channel's followers.
    await database.notify(CHANNEL_CHANGED, 'production');
  }

  let close = async (): Promise<void> => app.close();
  const harness: Harness = {
    app,
    async look() {
      // The jobs wait for the first comparison with the anchors.
      await app.ready();
      await forEachSettled(looks, (look) => look());
    },
    clockSkewMs: 0,
    certificateEnds: null,
    failingServices: new Map(),
    askForms: () => Promise.resolve(null),
    setFormsService: (service) => void (harness.askForms = service),
    store,
    composer,
    database,
    tokens,
    clock,
    async send(method, url, { as = 'ops', body, headers } = {}) {
      requests += 1;
      const response = await app.inject({
        method,
        url,
        headers: {
          authorization: `Bearer ${tokens[as]}`,
          ...(Buffer.isBuffer(body) ? { 'content-type': 'application/octet-stream' } : {}),
          ...headers,
        },
        ...(body ? { payload: body } : {}),
      });
      const answer: unknown = response.body === '' ? null : response.json();
      holdToContract(method, url, response.statusCode, answer);
      return { status: response.statusCode, body: answer as never };
    },
    async publish(manifest, { query = '', ...sent } = {}) {
      for (const bytes of manifestBytes(manifest)) {
        await harness.send('PUT', `/v1/blobs/${integrityHex(computeIntegrity(bytes))}`, {
          ...sent,
          body: bytes,
        });
      }
      return harness.send('POST', `/v1/versions${query}`, { ...sent, body: manifest });
    },
    activate: (apps, more = {}, sent = {}) =>
      harness.send('POST', '/v1/channels/production/releases', {
        ...sent,
        body: { apps, reason: 'a test', ...more },
      }),
    rollBack: (body, sent = {}) =>
      harness.send('POST', '/v1/channels/production/rollbacks', {
        ...sent,
        body: { reason: 'broken', ...body },
      }),
    async startSite() {
      const shell = shellManifest();
      const blocks = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'] });
      const partners = remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] } });
      await harness.once('site', async () => {
        for (const manifest of [shell, blocks, partners]) await harness.publish(manifest);
        const apps = Object.fromEntries(
          [shell, blocks, partners].map(({ app: name, version }) => [name, version]),
        );
        const { status, body } = await harness.activate(apps, { config: siteConfig });
        if (status >= 300) throw new Error(`The site did not start: ${JSON.stringify(body)}`);
      });
      composer.requests.length = 0;
      return { shell, blocks, partners };
    },
    async once(state, make) {
      const isNew = kept === undefined && requests === 0 && clock.now === begins;
      const before = isNew ? keptStates.get(database)?.get(state) : undefined;
      if (before) {
        await putBack(before);
        return;
      }
      await make();
      if (!isNew) return;
      const states = keptStates.get(database) ?? new Map<unknown, KeptState>();
      keptStates.set(database, states.set(state, await keep()));
    },
    async listen() {
      const server = await startServer(app, { port: 0, host: '127.0.0.1' });
      close = () => server.close();
      return server.url;
    },
    async stop() {
      await close();
      // A rejected request's work may still be writing.
      await rm(folder, { recursive: true, maxRetries: 5 });
    },
  };
  return harness;
}

/** The stored audit log and other tables. */
export function registryTables({ database }: Harness) {
  return database.schema<RegistryTables>('registry');
}
