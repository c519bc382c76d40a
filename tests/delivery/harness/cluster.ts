import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { integrityHex } from '@site/contract/integrity';
import { startS3 } from '@site/artifacts/testing/start-s3';
import type { SiteConfig } from '@site/contract';
import type { InboxConfig } from '@site/registry/inbox/inbox-service';
import { fullBrand } from '@site/registry/testing/brand';
import { createToken } from '@site/server/secrets';
import { newPostgresDatabase } from '@site/server/testing/each-database';
import type { TestPostgres } from '@site/server/testing/start-postgres';
import { freePorts } from '@site/server/testing/free-ports';
import { makeEdgeToken } from './edge-token.ts';
import { startFront } from './front.ts';
import { createNodeProcess, type NodeProcess } from './node-process.ts';
import { hasNginx } from './run-nginx.ts';
import { sampleRemote, sampleShell, type SampleVersion } from './sample-apps.ts';
import { hasVarnish, startVarnish, varnishKey, type Varnish } from './varnish.ts';
import { createStepProxy, type StepProxy } from '@site/server/testing/step-proxy';
import { waitFor } from '@site/server/testing/wait-for';
import { PATIENCE_MS, until } from '../../e2e/harness/until.ts';

export interface ClusterEdge extends NodeProcess {
  id: string;
  url: string;
  /** Between this edge and the registry. */
  link: StepProxy;
}

export interface Answered<T> {
  status: number;
  body: T;
}

export interface Asked {
  as?: string;
  body?: object | Buffer;
  key?: string;
}

/** PostgreSQL, a registry and three edges: separate processes on one machine. */
export interface Cluster {
  /** A separate server. Null: the cluster uses a database on the run's server, which tests must not kill. */
  postgres: TestPostgres | null;
  databaseUrl: string;
  registry: NodeProcess & { url: string };
  edges: ClusterEdge[];
  /** The visitors' addresses: the edges, and the reverse proxy if nginx is installed. */
  addresses: string[];
  /** The reverse proxy; null without nginx. */
  front: string | null;
  /** The cache that the registry purges; null without the option, or without Varnish. */
  varnish: Varnish | null;
  /** Between the registry and its database. */
  databaseLink: StepProxy;
  /** Between the registry and the S3 server with the artifacts. Null: they are in a folder. */
  storeLink: StepProxy | null;
  tokens: { ops: string };
  /** Calls the registry's API. Rejects if the registry does not respond. */
  ask<T = unknown>(method: 'GET' | 'POST' | 'PUT', path: string, asked?: Asked): Promise<Answered<T>>;
  /** Like the command line: retries with the same key while the registry has no database (503). */
  askAgain<T = unknown>(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object | Buffer,
  ): Promise<Answered<T>>;
  upload(version: SampleVersion): Promise<void>;
  /** Uploads the files and registers the version. @returns the version's id. */
  publish(version: SampleVersion): Promise<string>;
  activate(apps: Record<string, string>, more?: object): Promise<string>;
  channel(): Promise<ChannelAnswer>;
  serving(edge: ClusterEdge, release: string): Promise<void>;
  stop(): Promise<void>;
}

export interface ChannelAnswer {
  state: { live: string | null; canaries: { release: string; share: number }[]; revoked: string[] };
  release: { id: string; apps: Record<string, string> } | null;
  caches?: { name: string; waiting: number; problem: string | null }[];
}

export const sampleConfig: SiteConfig = {
  origin: 'http://localhost',
  mode: 'production',
  gateway: { base: 'http://localhost:1/', appId: 'app' },
  forms: { base: 'http://localhost:2/', appId: 'app' },
  brand: fullBrand,
};

/** The remotes of the first release, and their pages. */
export const samplePaths: Record<string, string[]> = {
  'mfe-alpha': ['/alpha', '/alpha/more'],
  'mfe-beta': ['/beta'],
};

export interface ClusterOptions {
  edgeCount?: number;
  /**
   * A separate server, which tests may kill; it is stopped with the cluster. Default: a database on the run's server.
   */
  postgres?: TestPostgres;
  /** Whether the artifacts are on an S3 server, which adds a sixth to a cluster's work. Default: in a folder. */
  s3?: boolean;
  /** The forms service with the submissions. */
  inbox?: InboxConfig;
  /** Whether Varnish runs in front of the edges, if it is installed. */
  varnish?: boolean;
  /** Whether edges write access logs, which this process reads. Default: true. */
  accessLog?: boolean;
  /** Of every process. */
  env?: Record<string, string>;
}

/** Starts everything, and publishes and activates edition `one` of a shell and two remotes as the first release. */
export async function startCluster({
  edgeCount = 3,
  postgres: own,
  s3: isOnS3 = false,
  inbox,
  varnish: wantsVarnish = false,
  accessLog = true,
  env = {},
}: ClusterOptions = {}): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'site-cluster-'));
  const [postgres, s3] = await Promise.all([own ?? databaseOfTheRun(), isOnS3 ? startS3() : null]);
  const databaseLink = await createStepProxy(Number(new URL(postgres.url).port));
  const storeLink = s3 && (await createStepProxy(Number(new URL(s3.endpoint).port)));
  const tokens = { ops: createToken() };
  const common = {
    PATH: process.env['PATH'] ?? '',
    HOST: '127.0.0.1',
    ...env,
    ...(s3 ? { ...s3.env, ARTIFACTS: `s3://${s3.bucket}` } : { ARTIFACTS: join(folder, 'artifacts') }),
  };

  const varnishPort = wantsVarnish && hasVarnish ? await freePorts() : null;
  const registryPort = await freePorts();
  const registryUrl = `http://127.0.0.1:${registryPort}`;
  const registry = createNodeProcess(
    'delivery/registry/src/main.ts',
    {
      ...common,
      ...(storeLink ? { S3_ENDPOINT: `http://127.0.0.1:${storeLink.port}` } : {}),
      PORT: String(registryPort),
      DATA_DIR: join(folder, 'registry'),
      DATABASE_URL: postgres.url.replace(/:\d+\//, `:${databaseLink.port}/`),
      OPS_TOKEN: tokens.ops,
      LOG_LEVEL: 'silent',
      ...(varnishPort === null
        ? {}
        : { PURGE_PRODUCTION: `varnish:http://127.0.0.1:${varnishPort}`, VARNISH_KEY: varnishKey }),
      ...(inbox ? { FORMS_URL: inbox.url, INBOX_TOKEN: inbox.token } : {}),
    },
    'registry: ',
  );
  await registry.start();

  const edges = await Promise.all(
    Array.from({ length: edgeCount }, async (_, index): Promise<ClusterEdge> => {
      const id = `edge-${index + 1}`;
      const link = await createStepProxy(registryPort);
      const port = await freePorts(2);
      const server = createNodeProcess(
        'delivery/edge/src/main.ts',
        {
          ...common,
          PORT: String(port),
          OPS_PORT: String(port + 1),
          DATA_DIR: join(folder, id),
          REGISTRY_URL: `http://127.0.0.1:${link.port}`,
          EDGE_TOKEN: await makeEdgeToken(registryUrl, tokens.ops, id),
          EDGE_ID: id,
          POLL_SECONDS: '1',
          // Tests use other names than the configuration's.
          REDIRECT_HOSTS: 'false',
          ACCESS_LOG: String(accessLog),
          // As in deploy/: all clients of an edge are proxies.
          TRUST_PROXY: '1',
        },
        'edge: ',
      );
      await server.start();
      return { ...server, id, url: `http://127.0.0.1:${port}`, link };
    }),
  );

  const front = hasNginx ? await startFront(edges.map(({ url }) => url)) : null;
  if (!front) process.stderr.write('nginx is not installed: nothing is tried through the server in front.\n');

  const varnish =
    varnishPort === null
      ? null
      : await startVarnish(
          edges.map(({ url }) => url),
          varnishPort,
        );

  const cluster: Cluster = {
    postgres: own ?? null,
    databaseUrl: postgres.url,
    registry: { ...registry, url: registryUrl },
    edges,
    addresses: [...edges, ...(front ? [front] : [])].map(({ url }) => url),
    front: front?.url ?? null,
    varnish,
    databaseLink,
    storeLink,
    tokens,
    async ask<T>(method: string, path: string, { as = tokens.ops, body, key }: Asked = {}) {
      const isBytes = Buffer.isBuffer(body);
      const response = await fetch(registryUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${as}`,
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(body ? { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' } : {}),
        },
        ...(body ? { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T };
    },
    async askAgain<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object | Buffer) {
      const asked = { key: randomUUID(), ...(body ? { body } : {}) };
      const giveUpAt = performance.now() + PATIENCE_MS;
      for (;;) {
        const answer = await cluster.ask<T>(method, path, asked);
        if (answer.status !== 503) return answer;
        if (performance.now() > giveUpAt)
          throw new Error(`${method} ${path} still answers 503: ${JSON.stringify(answer.body)}`);
        await sleep(50);
      }
    },
    async upload({ files }) {
      for (const { bytes, integrity } of files) {
        expectStatus(await cluster.askAgain('PUT', `/v1/blobs/${integrityHex(integrity)}`, bytes), 200, 201);
      }
    },
    async publish(version) {
      const { manifest } = version;
      await cluster.upload(version);
      expectStatus(await cluster.askAgain('POST', '/v1/versions', manifest), 200, 201);
      return manifest.version;
    },
    async activate(apps, more = {}) {
      const answer = await cluster.askAgain<{ release: { id: string } }>(
        'POST',
        '/v1/channels/production/releases',
        { apps, reason: 'a test', ...more },
      );
      expectStatus(answer, 200, 201);
      return answer.body.release.id;
    },
    async channel() {
      return (await cluster.askAgain<ChannelAnswer>('GET', '/v1/channels/production')).body;
    },
    async serving(edge, release) {
      await waitFor(async () => (await readRelease(edge).catch(() => null)) === release, {
        description: `${edge.id} serving ${release}`,
        limitMs: PATIENCE_MS,
      });
    },
    async stop() {
      await Promise.all([front?.stop(), varnish?.stop()]);
      await Promise.all(edges.map((edge) => edge.stop()));
      await registry.stop();
      const links = [databaseLink, ...(storeLink ? [storeLink] : []), ...edges.map(({ link }) => link)];
      await Promise.all(links.map((link) => link.close()));
      await Promise.all([postgres.stop(), s3?.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };

  const versions = [
    sampleShell('one'),
    ...Object.entries(samplePaths).map(([app, paths]) => sampleRemote(app, paths, 'one')),
  ];
  for (const version of versions) await cluster.publish(version);
  const first = await cluster.activate(
    Object.fromEntries(versions.map(({ manifest }) => [manifest.app, manifest.version])),
    { config: sampleConfig },
  );
  await Promise.all(edges.map((edge) => cluster.serving(edge, first)));
  // Its health checks need two successes.
  if (varnish) await until(async () => (await fetch(`${varnish.url}/alpha`)).ok);
  return cluster;
}

async function databaseOfTheRun(): Promise<Pick<TestPostgres, 'url' | 'stop'>> {
  const { url, drop } = await newPostgresDatabase();
  return { url, stop: drop };
}

/** The release that an edge serves without cookies. */
export async function readRelease({ url }: ClusterEdge): Promise<string | null> {
  const answer = (await (await fetch(`${url}/__site/state`)).json()) as { release: string | null };
  return answer.release;
}

function expectStatus({ status, body }: Answered<unknown>, ...expected: number[]): void {
  if (expected.includes(status)) return;
  throw new Error(`The registry answered ${status}: ${JSON.stringify(body)}`);
}
