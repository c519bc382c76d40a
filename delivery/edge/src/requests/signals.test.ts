import { connect } from 'node:net';
import { documentKey, type ReleaseDocument } from '@site/contract';
import { frameId } from '@site/documents/boot-data';
import { MAX_REPORT_BYTES } from '@site/contract/signals/report-limits';
import type { Report, SignalsToken } from '@site/contract/signals/report.schema';
import { ask } from '../testing/ask.ts';
import { edgeHarnessForEachTest, sampleAsset, type StartedEdge } from '../testing/edge-harness.ts';
import { createSampleRelease } from '../testing/sample-release.ts';
import { sameOrigin } from '../testing/signal-harness.ts';
import { nextEvent, waitFor } from '@site/server/testing/wait-for';

const harness = edgeHarnessForEachTest();
const address = '/__site/signals';

type Serving = StartedEdge & { document: ReleaseDocument };

/** An edge with a signal key that sends signals immediately, with a clock controlled by the test. */
async function startServing(overrides: Parameters<typeof harness.startServing>[0] = {}) {
  let ahead = 0;
  const serving = await harness.startServing({ signalsMs: 5, now: () => Date.now() + ahead, ...overrides });
  await waitFor(async () => expect(await readToken(serving)).not.toBeNull());
  return { ...serving, pass: (ms: number) => void (ahead += ms) };
}

async function readToken(
  { url }: { url: string },
  headers: Record<string, string> = {},
  page = '/blocks',
): Promise<string | null> {
  const { text } = await ask(url, `${address}?page=${page}`, { headers });
  return (JSON.parse(text) as SignalsToken).token;
}

function sampleView({ document }: Serving, app = 'mfe-blocks', route = '/blocks') {
  const version = document.release.apps[app] ?? '';
  return { number: 0, route, app, version, build: 'live' } as const;
}

function send({ url }: { url: string }, body: object, headers: Record<string, string> = sameOrigin) {
  return ask(url, address, { method: 'POST', headers, body: JSON.stringify(body) });
}

const keyOf = ({ document }: Serving) =>
  documentKey(frameId(document.release), {
    name: 'mfe-blocks',
    version: document.release.apps['mfe-blocks'] ?? '',
  });

const form = (serving: Serving): Report => ({ kind: 'form', view: sampleView(serving), sent: true });
const dropped = async ({ opsUrl }: StartedEdge, reason: string) => {
  const { text } = await ask(opsUrl, '/metrics');
  return Number(
    new RegExp(`site_edge_signals_dropped_total{reason="${reason}"} (\\d+)`).exec(text)?.[1] ?? 0,
  );
};
const countForms = () =>
  harness.registry.batches.flatMap(({ cells }) => cells).reduce((sum, { formsSent }) => sum + formsSent, 0);

test('only pages that browsers open count as navigations', async () => {
  const { url, opsUrl } = await harness.startServing();
  const visits: { method?: string; headers?: Record<string, string> }[] = [
    // A monitor, a load balancer, a prefetch, and a script.
    {},
    { method: 'HEAD', headers: { 'sec-fetch-mode': 'navigate' } },
    { headers: { 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch' } },
    { headers: { 'sec-fetch-mode': 'cors' } },
    { headers: { 'sec-fetch-mode': 'navigate' } },
  ];
  for (const visit of visits) await ask(url, '/blocks', visit);
  await ask(url, '/robots.txt', { headers: { 'sec-fetch-mode': 'navigate' } });
  const { text } = await ask(opsUrl, '/metrics');
  expect(text).toContain('site_edge_documents_total{cohort="live"} 5');
  expect(text).toContain('site_edge_navigations_total 1');
});

test("reports with a page's token reach the registry and are counted in the metrics", async () => {
  const serving = await startServing();
  const token = await readToken(serving);
  const view = sampleView(serving);
  const { status, headers } = await send(serving, {
    token,
    document: keyOf(serving),
    reports: [
      { kind: 'outcome', view, stretch: 'first', age: 5_000, faulty: ['mfe-blocks'] },
      { kind: 'form', view, sent: true },
    ],
  });
  expect([status, headers['cache-control']]).toEqual([202, 'no-store']);
  await waitFor(() => expect(countForms()).toBe(1));
  serving.pass(2_000);
  await waitFor(() => harness.registry.batches.some(({ cells }) => cells.some(({ faults }) => faults === 1)));
  expect((await ask(serving.opsUrl, '/metrics')).text).toContain('site_edge_signals_total{kind="outcome"} 1');
});

test('a personal document has its own token; a shared one has none', async () => {
  const serving = await startServing();
  const timing = async (path: string, headers = {}) =>
    (await ask(serving.url, path, { headers })).headers['server-timing'];
  const first = String(await timing('/home'));
  expect(first).toMatch(/^view;desc="v3\./);
  expect(await timing('/home')).not.toBe(first);
  expect(await timing('/blocks')).toBeUndefined();
  // A page that a canary changes is personal.
  harness.registry.startCanary(
    createSampleRelease(harness.store, { id: 'r2', editions: { 'mfe-blocks': 'two' } }),
    50,
  );
  await waitFor(() => expect(serving.edge.canaries()).toEqual(['r2']));
  for (const bucket of ['0', '9999'])
    expect(await timing('/blocks', { cookie: `__Host-Http-bucket=${bucket}` })).toMatch(/^view;desc="v3\./);
  expect(await readToken(serving)).toBeNull();
  expect(await timing('/start')).toBeUndefined();
  expect(await readToken(serving, {}, '/start')).not.toBeNull();
  const own = String(await timing('/blocks', { cookie: '__Host-Http-bucket=9999' }));
  const [, token = ''] = /desc="(.+)"/.exec(own) ?? [];
  await send(serving, { token, document: keyOf(serving), reports: [form(serving)] });
  await waitFor(() => expect(countForms()).toBe(1));
});

test('rejected reports are indistinguishable from accepted ones, and cost nothing', async () => {
  const serving = await startServing();
  const token = await readToken(serving);
  const report = form(serving);
  const large = { token, document: keyOf(serving), reports: [report], more: 'x'.repeat(MAX_REPORT_BYTES) };
  const answers = [
    await send(serving, large),
    await send(serving, { token, document: keyOf(serving), reports: Array(21).fill(report) }),
    await send(serving, { token: 'forged', document: keyOf(serving), reports: [report] }),
    await send(
      serving,
      { token, document: keyOf(serving), reports: [report] },
      { 'sec-fetch-site': 'cross-site' },
    ),
    await ask(serving.url, address, { method: 'POST', headers: sameOrigin, body: '{' }),
  ];
  expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [202, '']));
  expect(await dropped(serving, 'malformed')).toBe(3);
  expect(await dropped(serving, 'token')).toBe(1);
  expect(await dropped(serving, 'other-origin')).toBe(1);
  // A growing body without a declared length.
  const { port } = new URL(serving.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    `POST ${address} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const chunk = 'x'.repeat(MAX_REPORT_BYTES + 1);
  socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  const [answer] = (await nextEvent(socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain('202 Accepted');
  socket.destroy();
  expect(await dropped(serving, 'malformed')).toBe(4);
  expect(harness.registry.batches).toEqual([]);
});

test('a client that disconnects halfway leaves nothing behind', async () => {
  const serving = await startServing();
  const socket = connect(Number(new URL(serving.url).port), '127.0.0.1');
  socket.write(
    `POST ${address} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 100\r\n\r\nhalf`,
  );
  await nextEvent(socket, 'connect');
  socket.end();
  await waitFor(async () => expect(await dropped(serving, 'malformed')).toBe(1));
});

test('slow bodies of one network leave room for other reports', async () => {
  const serving = await startServing({ trustProxy: 1 });
  const port = Number(new URL(serving.url).port);
  const slow = Array.from({ length: 501 }, () => connect(port, '127.0.0.1'));
  for (const [index, socket] of slow.entries()) {
    socket.on('error', () => undefined);
    socket.write(
      `POST ${address} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.${index % 256}\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 100\r\n\r\nhalf`,
    );
  }
  // A rejected one is answered immediately; the others wait for their rest.
  await Promise.race(slow.map((socket) => nextEvent(socket, 'data')));
  const visitor = { 'x-forwarded-for': '198.51.100.1' };
  const told = {
    token: await readToken(serving, visitor),
    document: keyOf(serving),
    reports: [form(serving)],
  };
  await send(serving, told, { ...sameOrigin, ...visitor });
  await waitFor(() => expect(countForms()).toBe(1));
  await waitFor(async () => expect(await dropped(serving, 'network')).toBe(451));
  for (const socket of slow) socket.destroy();
});

test('the reporting address accepts POST, and GET for tokens; other methods are not allowed', async () => {
  const { url } = await startServing();
  expect((await ask(url, address, { method: 'PUT' })).headers['allow']).toBe('GET, HEAD, POST');
  expect((await ask(url, '/__site/reports')).headers['allow']).toBe('POST');
});

test('a batch whose response was lost is counted once, and nothing is lost while the registry is down', async () => {
  const serving = await startServing();
  const sendForm = async () =>
    send(serving, { token: await readToken(serving), document: keyOf(serving), reports: [form(serving)] });
  harness.registry.onBatch = () => 'cut';
  await sendForm();
  await waitFor(() => expect(harness.registry.repeatedBatches).toBeGreaterThan(2));
  expect(countForms()).toBe(1);
  await harness.registry.goAway();
  await sendForm();
  await sendForm();
  harness.registry.onBatch = () => 'answer';
  await harness.registry.comeBack();
  await waitFor(() => expect(countForms()).toBe(3));
  expect(harness.registry.batches.map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('a stopping edge sends its remaining batches', async () => {
  const serving = await startServing();
  harness.registry.onBatch = () => 503;
  await send(serving, {
    token: await readToken(serving),
    document: keyOf(serving),
    reports: [form(serving)],
  });
  await waitFor(() => harness.registry.requests.some((path) => path.endsWith('/signals')));
  harness.registry.onBatch = () => 'answer';
  await serving.stop();
  expect(countForms()).toBe(1);
});

describe('native browser reports', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0';
  const post = (serving: Serving, reports: object[]) =>
    ask(serving.url, '/__site/reports', {
      method: 'POST',
      headers: { ...sameOrigin, 'content-type': 'application/reports+json', 'user-agent': firefox },
      body: JSON.stringify(reports),
    });
  const faults = () => harness.registry.batches.flatMap((batch) => batch.faults);

  test('are attributed to the app that owns the file, with no more of the URL than the page', async () => {
    const serving = await startServing();
    const { url } = sampleAsset(serving.document, 'mfe-blocks', 'js');
    const origin = 'https://site.example';
    const page = `${origin}/blocks?email=ada@example.com`;
    await post(serving, [
      {
        type: 'csp-violation',
        age: 1,
        url: page,
        body: {
          documentURL: page,
          effectiveDirective: 'connect-src',
          blockedURL: 'https://evil.example/x',
          sourceFile: `${origin}${url}`,
          lineNumber: 4,
          columnNumber: 2,
        },
      },
      {
        type: 'integrity-violation',
        url: page,
        body: { blockedURL: `${origin}${url}`, destination: 'script' },
      },
      { type: 'crash', url: page, body: { reason: 'oom' } },
    ]);
    await waitFor(() => expect(faults()).toHaveLength(3));
    const version = serving.document.release.apps['mfe-blocks'];
    const of = { app: 'mfe-blocks', version, route: '/blocks', count: 1, browsers: { Firefox: 1 } };
    expect(faults()).toEqual([
      { ...of, kind: 'csp', message: 'connect-src', file: url, line: 4, column: 2 },
      { ...of, kind: 'integrity', message: 'script', file: url },
      { ...of, kind: 'crash', message: 'oom' },
    ]);
  });

  test('are ignored if caused by an extension or malformed', async () => {
    const serving = await startServing();
    await post(serving, [
      {
        type: 'csp-violation',
        url: 'https://site.example/blocks',
        body: {
          effectiveDirective: 'script-src-elem',
          blockedURL: 'inline',
          sourceFile: 'chrome-extension://abc/x.js',
        },
      },
      { type: 'deprecation', url: 'https://site.example/blocks', body: { id: 'x' } },
      { type: 'csp-violation', body: null },
      [],
    ]);
    expect(await dropped(serving, 'not-served')).toBe(4);
  });
});
