import { formSources } from '@site/contract';
import { startDatabase } from '@site/server/testing/each-database';
import { until } from '../e2e/harness/until.ts';
import { siteIn } from '../services/harness/site-command.ts';
import { startCluster, type Cluster } from './harness/cluster.ts';
import { createNodeProcess } from './harness/node-process.ts';
import { sampleRemote } from './harness/sample-apps.ts';
import { startTraceReceiver, type ReceivedSpan, type TraceReceiver } from './harness/trace-receiver.ts';
import { freePorts } from '@site/server/testing/free-ports';

/** Traces of real processes, received as OTLP over HTTP. */

let receiver: TraceReceiver;
let cluster: Cluster;
let env: Record<string, string>;

beforeAll(async () => {
  receiver = await startTraceReceiver();
  env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
  cluster = await startCluster({ env });
});
afterAll(async () => {
  await cluster.stop();
  receiver.close();
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = (traceId: string) => `00-${traceId}-00f067aa0ba902b7-01`;

type Wanted = Partial<Pick<ReceivedSpan, 'service' | 'name' | 'traceId' | 'parentSpanId'>>;
const find = (wanted: Wanted): ReceivedSpan[] =>
  receiver.spans.filter((span) =>
    Object.entries(wanted).every(([key, value]) => span[key as keyof Wanted] === value),
  );
const arrived = (wanted: Wanted): Promise<ReceivedSpan> => until(() => find(wanted)[0] ?? null);

test('a release is one trace from the command to its transaction, linked to that of the release and every edge', async () => {
  const version = await cluster.publish(sampleRemote('mfe-beta', ['/beta'], 'two'));
  const settings = { SITE_REGISTRY: cluster.registry.url, SITE_TOKEN: cluster.tokens.ops, ...env };
  const { code, err } = await siteIn(
    process.cwd(),
    settings,
    ...['activate', `mfe-beta@${version}`, '--reason', 'a trace'],
  );
  expect([code, err]).toEqual([0, expect.any(String)]);
  const command = await arrived({ service: 'site-cli', name: 'site activate' });
  const { traceId } = command;
  expect(command.parentSpanId).toBeUndefined();
  const call = await arrived({ traceId, name: 'POST /v1/channels/:channel/releases' });
  const { release } = await cluster.channel();
  expect(call).toMatchObject({
    service: 'site-registry',
    parentSpanId: command.spanId,
    attributes: { 'site.release': release?.id, 'http.response.status_code': 201 },
  });
  await arrived({ parentSpanId: call.spanId, name: 'insert' });

  const root = await until(
    () => find({ name: 'release' }).find(({ links }) => links[0]?.traceId === traceId) ?? null,
  );
  expect(root).toMatchObject({
    links: [{ spanId: call.spanId }],
    attributes: { 'site.release': release?.id, 'site.versions': expect.stringContaining(version) as string },
  });
  const loads = await until(() => {
    const found = find({ name: 'load release', traceId: root.traceId, parentSpanId: root.spanId });
    return found.length === 3 ? found : null;
  });
  expect(loads.map(({ instance }) => instance).sort()).toEqual(['edge-1', 'edge-2', 'edge-3']);
});

test('a publish continues the caller’s trace to the composer, and names app and version', async () => {
  const { manifest, files } = sampleRemote('mfe-beta', ['/beta'], 'three');
  await cluster.upload({ manifest, files });
  const answer = await fetch(`${cluster.registry.url}/v1/versions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${cluster.tokens.ops}`,
      'content-type': 'application/json',
      traceparent: traceparent(TRACE),
    },
    body: JSON.stringify(manifest),
  });
  expect(answer.status).toBe(201);
  const call = await arrived({ traceId: TRACE, name: 'POST /v1/versions' });
  expect(call).toMatchObject({
    parentSpanId: '00f067aa0ba902b7',
    attributes: { 'site.app': 'mfe-beta', 'site.version': manifest.version },
  });
  expect(await arrived({ traceId: TRACE, name: 'compose' })).toMatchObject({
    parentSpanId: call.spanId,
    attributes: { 'site.app': 'mfe-beta' },
  });
});

test('an edge continues the trace of its proxy, and its log has the trace id', async () => {
  const traceId = TRACE.replace('4', '5');
  const [edge] = cluster.edges;
  await fetch(`${edge?.url}/alpha`, {
    headers: { traceparent: traceparent(traceId), 'x-forwarded-for': '192.0.2.1' },
  });
  expect(await arrived({ service: 'site-edge', traceId })).toMatchObject({
    instance: 'edge-1',
    parentSpanId: '00f067aa0ba902b7',
    attributes: { 'http.route': '/alpha', 'site.release': expect.stringMatching(/^r\d+$/) as string },
  });
  await until(() => edge?.output().includes(`"traceId":"${traceId}"`));
});

test('a form post is traced to the statements in the database, without the visitor’s values', async () => {
  const traceId = TRACE.replace('4', '6');
  const { url: databaseUrl, stop } = await startDatabase();
  const port = await freePorts();
  const forms = createNodeProcess(
    'services/forms/src/main.ts',
    {
      ...{ ...env, HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: databaseUrl },
      ...{ JWKS_URL: 'http://127.0.0.1:1/', SITE_ORIGINS: 'http://localhost:8080' },
    },
    'listening on ',
  );
  try {
    await forms.start();
    const answer = await fetch(`http://127.0.0.1:${port}/subscriptions`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        origin: 'http://localhost:8080',
        'content-type': 'application/x-www-form-urlencoded',
        traceparent: traceparent(traceId),
      },
      body: new URLSearchParams({ source_id: formSources.newsletter, email: 'ada@example.com' }).toString(),
    });
    expect(answer.status).toBeLessThan(400);
    const post = await arrived({ service: 'site-forms', traceId, name: 'POST /subscriptions' });
    const statement = await arrived({ traceId, parentSpanId: post.spanId, name: 'insert' });
    expect(statement.attributes['db.query.text']).toContain('$1');
    expect(JSON.stringify(find({ traceId }))).not.toContain('ada@');
    await until(() => forms.output().includes(`"traceId":"${traceId}"`));
  } finally {
    await forms.stop();
    await stop();
  }
});

test('a receiver that is down delays neither requests nor commands, and loses only the spans', async () => {
  const settings = { SITE_REGISTRY: cluster.registry.url, SITE_TOKEN: cluster.tokens.ops };
  const dead = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePorts()}` };
  const { code, out, err } = await siteIn(process.cwd(), { ...settings, ...dead }, 'status');
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('mfe-alpha');
});
