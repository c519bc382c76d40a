import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { testCredentials } from '@site/artifacts/testing/start-s3';
import type { AlertHookMade } from '@site/contract/registry-calls/alert.calls';
import { freePorts } from '@site/server/testing/free-ports';
import { selfSigned } from '@site/server/testing/self-signed';
import { until } from '../e2e/harness/until.ts';
import { siteIn } from '../services/harness/site-command.ts';
import { startCluster, type Cluster } from './harness/cluster.ts';
import { startCompanyProxy, type CompanyProxy } from './harness/company-proxy.ts';
import { makeEdgeToken } from './harness/edge-token.ts';
import { createNodeProcess } from './harness/node-process.ts';

/**
 * Command line, edge and registry as processes in a company's network: other servers are reached through its proxy, and
 * have certificates of its own authority.
 */

let cluster: Cluster;
let proxy: CompanyProxy;
let folder: string;
let env: Record<string, string>;
let trusted: Record<string, string>;
const certificate = selfSigned('*.company.invalid');
const closed: (() => void)[] = [];

const portOf = (server: { address(): AddressInfo | string | null }) => (server.address() as AddressInfo).port;

/** TLS in front of the registry. */
let secure: string;
const tlsServer = createTlsServer(certificate, (client: TLSSocket) => {
  const upstream = connect(Number(new URL(cluster.registry.url).port), '127.0.0.1');
  client.pipe(upstream).pipe(client);
  for (const socket of [client, upstream])
    socket.on('error', () => [client, upstream].forEach((one) => one.destroy()));
});

beforeAll(async () => {
  [cluster, proxy, folder] = await Promise.all([
    startCluster({ edgeCount: 1, s3: true }),
    startCompanyProxy(),
    mkdtemp(join(tmpdir(), 'site-company-')),
  ]);
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, certificate.cert);
  tlsServer.listen(0, '127.0.0.1');
  await once(tlsServer, 'listening');
  secure = `https://registry.company.invalid:${portOf(tlsServer)}`;
  env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
  trusted = { ...env, NODE_EXTRA_CA_CERTS: authority };
  closed.push(() => tlsServer.close());
});
afterAll(async () => {
  for (const close of closed) close();
  proxy.close();
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

const status = (more: Record<string, string>) =>
  siteIn(process.cwd(), { SITE_REGISTRY: secure, SITE_TOKEN: cluster.tokens.ops, ...more }, 'status');

test('commands reach the registry through the proxy, and state which setting is missing', async () => {
  expect(await status(trusted)).toMatchObject({
    code: 0,
    out: expect.stringContaining('mfe-alpha') as string,
  });
  expect(proxy.hosts).toContain('registry.company.invalid');
  expect((await status(env)).err).toContain('set NODE_EXTRA_CA_CERTS to the PEM file');
  expect((await status({ ...trusted, NO_PROXY: '.company.invalid' })).err).toContain('does not respond');
  const dead = `http://127.0.0.1:${await freePorts()}`;
  expect((await status({ ...trusted, HTTPS_PROXY: dead })).err).toContain(
    'The proxy of HTTPS_PROXY or HTTP_PROXY does not respond: correct it, or list the host in NO_PROXY.',
  );
});

test('an edge follows the registry and reads the bucket through the proxy, and logs a refusal of the proxy', async () => {
  const port = await freePorts(2);
  const edge = createNodeProcess(
    'delivery/edge/src/main.ts',
    {
      ...trusted,
      ...testCredentials,
      ...{ ARTIFACTS: 's3://artifacts', S3_ENDPOINT: `http://s3.company.invalid:${cluster.storeLink?.port}` },
      ...{
        HOST: '127.0.0.1',
        PORT: String(port),
        OPS_PORT: String(port + 1),
        DATA_DIR: join(folder, 'edge'),
      },
      ...{ REGISTRY_URL: secure, EDGE_ID: 'edge', POLL_SECONDS: '1', REDIRECT_HOSTS: 'false' },
      EDGE_TOKEN: await makeEdgeToken(cluster.registry.url, cluster.tokens.ops, 'edge'),
    },
    'edge: ',
  );
  try {
    await edge.start();
    await until(async () => (await fetch(`http://127.0.0.1:${port}/alpha`)).ok);
    expect(proxy.hosts).toContain('s3.company.invalid');
    proxy.refuse();
    await until(() =>
      edge.output().includes('The proxy of HTTPS_PROXY or HTTP_PROXY refused the connection (407)'),
    );
    // It keeps its release.
    expect((await fetch(`http://127.0.0.1:${port}/alpha`)).status).toBe(200);
  } finally {
    await edge.stop();
  }
});

test('a registry sends webhooks through the proxy, and reports why one was not sent', async () => {
  const received: string[] = [];
  const receiver = createHttpsServer(certificate, (request, response) => {
    received.push(request.headers.host ?? '');
    response.end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  closed.push(() => receiver.close());
  const own = await startCompanyProxy();
  closed.push(() => own.close());
  await cluster.registry.stop();
  const { port } = new URL(cluster.registry.url);
  const registry = createNodeProcess(
    'delivery/registry/src/main.ts',
    {
      ...{ ...trusted, HTTPS_PROXY: own.url, HTTP_PROXY: own.url },
      ...{
        ...testCredentials,
        ARTIFACTS: 's3://artifacts',
        S3_ENDPOINT: `http://127.0.0.1:${cluster.storeLink?.port}`,
      },
      ...{
        HOST: '127.0.0.1',
        PORT: port,
        DATA_DIR: join(folder, 'registry'),
        DATABASE_URL: cluster.databaseUrl,
      },
      ...{ OPS_TOKEN: cluster.tokens.ops, LOG_LEVEL: 'silent' },
    },
    'registry: ',
  );
  try {
    await registry.start();
    const url = `https://hooks.company.invalid:${portOf(receiver)}/site`;
    const { body: hook } = await cluster.askAgain<AlertHookMade>('POST', '/v1/alert-hooks', {
      url,
      kinds: ['acted'],
    });
    const send = async () =>
      (
        await cluster.ask<{ problem: string | null }>('POST', `/v1/alert-hooks/${hook.id}/tests`, {
          body: {},
        })
      ).body;
    expect(await send()).toMatchObject({ problem: null });
    expect(received).toEqual([new URL(url).host]);
    own.refuse();
    expect((await send()).problem).toContain(
      'The proxy of HTTPS_PROXY or HTTP_PROXY refused the connection (407)',
    );
  } finally {
    await registry.stop();
  }
});
