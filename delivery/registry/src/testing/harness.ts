import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createDiskStore } from '@site/artifacts/disk-store';
import { hexOf, integrityOf } from '@site/artifacts/integrity';
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
import { emptySchema } from '@site/server/testing/empty-schema';
import { createAuditKey } from '../audit/audit-key.ts';
import { createRegistryApp } from '../create-registry-app.ts';
import type { AskFormContracts } from '../forms-service.ts';
import { registryMigrations } from '../database/migrations.ts';
import type { RegistryTables } from '../database/tables.ts';
import { createToken } from '../tokens.ts';
import type { Limits } from '../use-cases/limits.ts';
import { createFakeComposer, type FakeComposer } from './fake-composer.ts';
import { holdToContract } from './hold-to-contract.ts';
import { filesOf, remoteManifest, shellManifest } from './manifests.ts';

export const siteConfig: SiteConfig = {
  origin: 'http://localhost:8080',
  mode: 'staging',
  gateway: { base: 'http://localhost:8081/', appId: 'app' },
  forms: { base: 'http://localhost:8082/', appId: 'app' },
};

/** Every registry of a test has the same. */
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

/** The parts of an answer that tests look at; which are there depends on the route. */
export interface Body extends Omit<ChannelAnswer & ChangeAnswer, 'release' | 'candidate'> {
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
  /** What the forms service at an address says that it accepts. Default: it does not answer. */
  askForms: AskFormContracts;
  /** Lets another forms service answer. */
  askFormsOf(service: AskFormContracts): void;
  /** The clock of the registry; tests move it. */
  clock: { now: Date };
  send<T = Body>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    sent?: Sent,
  ): Promise<{ status: number; body: T }>;
  /** Uploads the files of a version and registers it. */
  publish(
    manifest: RemoteManifest | ShellManifest,
    sent?: Sent & { query?: string },
  ): Promise<{ status: number; body: Body }>;
  activate(apps: Record<string, string>, more?: object, sent?: Sent): Promise<{ status: number; body: Body }>;
  rollBack(body: object, sent?: Sent): Promise<{ status: number; body: Body }>;
  /** Publishes a shell and two remotes and makes them live as the first release. */
  startSite(): Promise<{ shell: VersionManifest; blocks: VersionManifest; partners: VersionManifest }>;
  stop(): Promise<void>;
}

/**
 * A registry with an empty schema, over a database that several tests share one after the other.
 *
 * @param kept where the files are. Default: a folder of its own.
 */
export async function createHarness(
  database: Database,
  kept?: SiteStore,
  limits: Partial<Limits> = {},
): Promise<Harness> {
  await emptySchema(database, 'registry', registryMigrations);
  const folder = await mkdtemp(join(tmpdir(), 'registry-'));
  const store = kept ?? createDiskStore(folder);
  const composer = createFakeComposer();
  const clock = { now: new Date('2026-01-01T12:00:00.000Z') };
  const app = await createRegistryApp({
    database,
    store,
    composer,
    auditKey: testAuditKey,
    askForms: (base) => harness.askForms(base),
    limits,
    now: () => clock.now,
    bootstrapTokens: [
      { name: 'olivia', token: tokens.ops, scopes: ['ops'] },
      { name: 'reader', token: tokens.read, scopes: ['read'] },
      { name: 'edge', token: tokens.edge, scopes: ['edge:edge-1'] },
      { name: 'ci-blocks', token: tokens.blocks, scopes: ['publish:mfe-blocks'] },
      { name: 'ben', token: tokens.activator, scopes: ['activate:mfe-blocks'] },
    ],
  });

  const harness: Harness = {
    app,
    askForms: () => Promise.resolve(null),
    askFormsOf: (service) => void (harness.askForms = service),
    store,
    composer,
    database,
    tokens,
    clock,
    async send(method, url, { as = 'ops', body, headers } = {}) {
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
      for (const bytes of filesOf(manifest)) {
        await harness.send('PUT', `/v1/blobs/${hexOf(integrityOf(bytes))}`, { ...sent, body: bytes });
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
      for (const manifest of [shell, blocks, partners]) await harness.publish(manifest);
      const apps = Object.fromEntries(
        [shell, blocks, partners].map(({ app: name, version }) => [name, version]),
      );
      await harness.activate(apps, { config: siteConfig });
      composer.requests.length = 0;
      return { shell, blocks, partners };
    },
    async stop() {
      await app.close();
      // Work that a refusal left behind may still be writing.
      await rm(folder, { recursive: true, maxRetries: 5 });
    },
  };
  return harness;
}

/** The audit log and other tables, as they stand in the database. */
export function tablesOf({ database }: Harness) {
  return database.schema<RegistryTables>('registry');
}
