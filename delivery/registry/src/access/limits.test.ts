import { request as httpRequest } from 'node:http';
import type { Database } from '@site/server/open-database';
import { openMemoryDatabase } from '@site/server/testing/memory-database';
import type { RegistryLimits } from '../versions/limits.ts';
import { createHarness, registryTables, type Harness } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { waitFor } from '@site/server/testing/wait-for';

const blocks = (contents: number) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents });

/** The embedded database has one connection, so requests are processed in order. */
let database: Database;
let registry: Harness;
beforeAll(async () => (database = await openMemoryDatabase()));
afterEach(() => registry.stop());
afterAll(() => database.close());

const start = async (limits: Partial<RegistryLimits>) =>
  (registry = await createHarness(database, undefined, limits));

const usage = () => registryTables(registry).selectFrom('app_usage').selectAll().orderBy('app').execute();
const code = ({ status, body }: { status: number; body: { errors?: { code: string }[] } }) => [
  status,
  body.errors?.[0]?.code,
];

test('a token that floods with versions is rejected, in publishing and in dry runs; others are not affected', async () => {
  await start({ versionsPerApp: 3 });
  await registry.startSite();
  for (const contents of [2, 3]) await registry.publish(blocks(contents), { as: 'blocks' });
  const { status, body } = await registry.publish(blocks(4), { as: 'blocks' });
  expect(code({ status, body })).toEqual([409, 'quota_exceeded']);
  expect(body.errors[0]?.detail).toMatch(/mfe-blocks would keep 4 versions .*; 3 .* are allowed/);
  expect(code(await registry.publish(blocks(4), { as: 'blocks', query: '?dry-run=true' }))).toEqual([
    409,
    'quota_exceeded',
  ]);
  expect((await registry.publish(blocks(3), { as: 'blocks' })).status).toBe(200);
  expect((await registry.publish(remoteManifest('mfe-partners', { contents: 2 }))).status).toBe(201);
  expect((await registry.activate({ 'mfe-blocks': blocks(3).version })).status).toBe(201);
});

test('the bytes of all files of an app are counted, and garbage collection frees them', async () => {
  await start({});
  await registry.startSite();
  const totalBytes = ({ assets, server }: ReturnType<typeof blocks>) =>
    [...assets, server].reduce((sum, { size }) => sum + size, 0);
  await registry.publish(blocks(2));
  const both = totalBytes(blocks(1)) + totalBytes(blocks(2));
  expect(await usage()).toContainEqual({ app: 'mfe-blocks', versions: 2, bytes: both });
  await registryTables(registry)
    .updateTable('versions')
    .set({ collected_at: registry.clock.now })
    .where('app', '=', 'mfe-blocks')
    .where('version', '=', blocks(2).version)
    .execute();
  expect(await usage()).toContainEqual({ app: 'mfe-blocks', versions: 1, bytes: totalBytes(blocks(1)) });
  await registry.publish(blocks(2));
  expect(await usage()).toContainEqual({ app: 'mfe-blocks', versions: 2, bytes: both });
});

test('an app with too many bytes of files is rejected', async () => {
  await start({ bytesPerApp: 150 });
  expect((await registry.publish(blocks(1))).status).toBe(201);
  expect(code(await registry.publish(blocks(2)))).toEqual([409, 'quota_exceeded']);
});

test('a token that publishes or reads excessively is rate-limited; other tokens are not affected', async () => {
  await start({ changesPerMinute: 2, requestsPerMinute: 30 });
  await registry.startSite();
  const dryRun = () => registry.send('POST', '/v1/versions?dry-run=true', { as: 'blocks', body: blocks(1) });
  expect([(await dryRun()).status, (await dryRun()).status]).toEqual([200, 200]);
  expect(code(await dryRun())).toEqual([429, 'rate_limited']);
  const asked: number[] = [];
  for (let index = 0; index < 40; index += 1)
    asked.push((await registry.send('GET', '/v1/apps', { as: 'blocks' })).status);
  expect(asked[0]).toBe(200);
  expect(asked.at(-1)).toBe(429);
  expect((await registry.send('GET', '/v1/apps', { as: 'read' })).status).toBe(200);
});

test('changes of all tokens of a team are limited together, apart from publishing; those of ops are not', async () => {
  await start({ changesPerMinute: 2 });
  await registry.startSite();
  const activate = (as: 'activator' | 'ops') =>
    registry.activate({ 'mfe-blocks': blocks(1).version }, {}, { as });
  expect([(await activate('activator')).status, (await activate('activator')).status]).toEqual([200, 200]);
  expect(code(await activate('activator'))).toEqual([429, 'rate_limited']);
  // Another token of the team.
  expect(code(await registry.send('POST', '/v1/previews', { as: 'blocks', body: {} }))[0]).toBe(429);
  expect((await registry.publish(blocks(2), { as: 'blocks' })).status).toBe(201);
  expect((await activate('ops')).status).toBe(200);
});

test('a token that uploads excessively is rejected before its bodies are read', async () => {
  await start({ uploadedBytesPerHour: 1_000 });
  const put = (as: 'blocks' | 'ops') =>
    registry.send('PUT', `/v1/blobs/${'a'.repeat(96)}`, { as, body: Buffer.alloc(600) });
  expect((await put('blocks')).status).not.toBe(429);
  expect(code(await put('blocks'))).toEqual([429, 'rate_limited']);
  expect((await put('ops')).status).not.toBe(429);
  registry.clock.now = new Date(registry.clock.now.getTime() + 60 * 60_000);
  expect((await put('blocks')).status).not.toBe(429);
});

test('pages rendered for a token count as its uploads, so that dry runs cannot fill the store', async () => {
  await start({ uploadedBytesPerHour: 2_000 });
  await registry.startSite();
  const { compose } = registry.composer;
  let round = 0;
  // Renders randomly, so that each page is different.
  registry.composer.compose = async (request) => {
    round += 1;
    const html = `${round}`.padEnd(500, 'x');
    return (await compose(request)).map((composed) => ({ ...composed, page: { head: '', html } }));
  };
  const stored = async () => {
    const blobs: string[] = [];
    for await (const { integrity } of registry.store.list()) blobs.push(integrity);
    return blobs.length;
  };
  const body = { ...blocks(1), version: '9.0.0-00000000000a' };
  const dryRun = (as: 'blocks' | 'ops') => registry.send('POST', '/v1/versions?dry-run=true', { as, body });
  expect([(await dryRun('blocks')).status, (await dryRun('blocks')).status]).toEqual([200, 200]);
  const before = await stored();
  expect(code(await dryRun('blocks'))).toEqual([429, 'rate_limited']);
  expect(await stored()).toBe(before);
  // Other tokens are not affected, least of all ops.
  expect((await dryRun('ops')).status).toBe(200);
});

test('rendering of all tokens of a team is in one queue, apart from that of ops', async () => {
  await start({});
  await registry.startSite();
  const countRenders = async (act: () => Promise<{ status: number }>) => {
    registry.composer.requests.length = 0;
    expect((await act()).status).toBe(201);
    return [...new Set(registry.composer.requests.map(({ turn }) => turn))];
  };
  const defer = { as: 'ops', query: '?live-checks=defer' } as const;
  for (const contents of [3, 4, 5]) await registry.publish(blocks(contents), defer);
  const activate = (contents: number, as: 'activator' | 'ops') => () =>
    registry.activate({ 'mfe-blocks': blocks(contents).version }, {}, { as });
  const preview = {
    app: 'mfe-blocks',
    version: blocks(5).version,
    channel: 'production',
    expiresInMinutes: 5,
  };
  const turns = [
    await countRenders(() => registry.publish(blocks(2), { as: 'blocks' })),
    await countRenders(activate(3, 'activator')),
    await countRenders(activate(4, 'ops')),
    await countRenders(() => registry.send('POST', '/v1/previews', { as: 'blocks', body: preview })),
  ];
  expect(turns.map((each) => each.length)).toEqual([1, 1, 1, 1]);
  expect(turns[0]).toEqual(turns[1]);
  expect(turns[0]).toEqual(turns[3]);
  expect(new Set(turns.flat()).size).toBe(2);
  expect(turns.flat()).not.toContain(undefined);
});

test('requests for unknown files leave nothing in the database', async () => {
  await start({});
  const integrities = Array.from({ length: 1000 }, (_, index) => `sha384-${String(index).padStart(64, 'A')}`);
  const { body } = await registry.send('POST', '/v1/blobs/missing', { as: 'blocks', body: { integrities } });
  expect(body.missing).toEqual(integrities);
  expect(await registryTables(registry).selectFrom('wanted_blobs').select('integrity').execute()).toEqual([]);
});

/** Requests with incomplete bodies, until they are destroyed. */
async function sendHalf(count: number, method: string, path: string, contentType: string) {
  const { hostname: host, port } = new URL(await registry.listen());
  const authorization = `Bearer ${registry.tokens.blocks}`;
  let arrived = 0;
  registry.app.server.on('request', () => (arrived += 1));
  const stuck = Array.from({ length: count }, () => {
    const headers = { authorization, 'content-type': contentType, 'content-length': '1000' };
    const request = httpRequest({ host, port, method, path, headers, agent: false });
    request.on('error', () => undefined);
    request.write('{');
    return request;
  });
  await waitFor(() => expect(arrived).toBe(count));
  const send = (body: string) =>
    fetch(`http://${host}:${port}${path}`, {
      method,
      headers: { authorization, 'content-type': contentType },
      body,
    });
  return { stuck, send };
}

test('aborted uploads free their slots', async () => {
  await start({});
  const path = `/v1/blobs/${'a'.repeat(96)}`;
  const { stuck, send } = await sendHalf(8, 'PUT', path, 'application/octet-stream');
  for (const request of stuck) request.destroy();
  expect((await send('x')).status).toBe(422);
});

test('queued uploads do not time out while their bodies are not read', async () => {
  await start({});
  const [begun, ended] = [jest.spyOn(globalThis, 'setTimeout'), jest.spyOn(globalThis, 'clearTimeout')];
  const { stuck } = await sendHalf(8, 'PUT', `/v1/blobs/${'a'.repeat(96)}`, 'application/octet-stream');
  // It is authenticated after all of them.
  await registry.send('GET', '/v1/apps', { as: 'blocks' });
  const ofBodies = begun.mock.calls.flatMap(([, ms], index) =>
    ms === 30_000 ? [begun.mock.results[index]?.value as unknown] : [],
  );
  const over = new Set<unknown>(ended.mock.calls.map(([timer]) => timer));
  for (const spy of [begun, ended]) spy.mockRestore();
  for (const request of stuck) request.destroy();
  expect(ofBodies.map((timer) => over.has(timer))).toEqual(Array(8).fill(true));
});

test("uploads of one token beyond the queue's limit are rejected, and those of others do not wait", async () => {
  await start({});
  const path = `/v1/blobs/${'a'.repeat(96)}`;
  const { stuck, send } = await sendHalf(206, 'PUT', path, 'application/octet-stream');
  const refused = await send('x');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect((await registry.send('PUT', path, { body: Buffer.from('x') })).status).toBe(422);
  for (const request of stuck) request.destroy();
});

test('a token with incomplete bodies has a limited number in memory, freed when they abort', async () => {
  await start({});
  const { stuck, send } = await sendHalf(60, 'POST', '/v1/blobs/missing', 'application/json');
  const body = '{"integrities":[]}';
  expect((await send(body)).status).toBe(429);
  // Other tokens and requests without a body are not affected.
  expect((await registry.send('POST', '/v1/blobs/missing', { body: { integrities: [] } })).status).toBe(200);
  expect((await registry.send('GET', '/v1/apps', { as: 'blocks' })).status).toBe(200);
  for (const request of stuck) request.destroy();
  await waitFor(async () => expect((await send(body)).status).toBe(200));
});

test('concurrent verifications are coalesced: one running, one queued, shared by all waiting requests', async () => {
  await start({});
  await registry.startSite();
  const names = jest.spyOn(registry.store.records, 'names');
  const ask = () => registry.send('POST', '/v1/verifications', { as: 'read', body: {} });
  const alone = (await ask()).body;
  const reads = names.mock.calls.length;
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect(names.mock.calls.length - reads).toBeLessThanOrEqual(2 * reads);
  for (const { status, body } of answers) expect([status, body]).toEqual([200, alone]);
});
