import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { openDatabase, type Database } from '@site/server/open-database';
import type { Limits } from './use-cases/limits.ts';
import { createHarness, tablesOf, type Harness } from './testing/harness.ts';
import { remoteManifest } from './testing/manifests.ts';

const blocks = (contents: number) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents });

let database: Database;
let registry: Harness;
beforeAll(async () => (database = await openDatabase({ memory: true })));
afterEach(() => registry.stop());
afterAll(() => database.close());

const start = async (limits: Partial<Limits>) =>
  (registry = await createHarness(database, undefined, limits));

const usage = () => tablesOf(registry).selectFrom('app_usage').selectAll().orderBy('app').execute();
const code = ({ status, body }: { status: number; body: { errors?: { code: string }[] } }) => [
  status,
  body.errors?.[0]?.code,
];

test('a publish token that floods with versions is refused, in publishing and in a dry run, and others go on', async () => {
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

test('the bytes of all files of an app are counted, and a collection frees them', async () => {
  await start({});
  await registry.startSite();
  const bytesOf = ({ assets, server }: ReturnType<typeof blocks>) =>
    [...assets, server].reduce((sum, { size }) => sum + size, 0);
  await registry.publish(blocks(2));
  const both = bytesOf(blocks(1)) + bytesOf(blocks(2));
  expect(await usage()).toContainEqual({ app: 'mfe-blocks', versions: 2, bytes: both });
  await tablesOf(registry)
    .updateTable('versions')
    .set({ collected_at: registry.clock.now })
    .where('app', '=', 'mfe-blocks')
    .where('version', '=', blocks(2).version)
    .execute();
  expect(await usage()).toContainEqual({ app: 'mfe-blocks', versions: 1, bytes: bytesOf(blocks(1)) });
  await registry.publish(blocks(2));
  expect(await usage()).toContainEqual({ app: 'mfe-blocks', versions: 2, bytes: both });
});

test('an app whose files are too many bytes is refused', async () => {
  await start({ bytesPerApp: 150 });
  expect((await registry.publish(blocks(1))).status).toBe(201);
  expect(code(await registry.publish(blocks(2)))).toEqual([409, 'quota_exceeded']);
});

test('a token that publishes or asks without end is told to wait, and other tokens are answered', async () => {
  await start({ publishesPerMinute: 2, requestsPerMinute: 30 });
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

test('a token that uploads without end is refused before its bodies are read', async () => {
  await start({ uploadedBytesPerHour: 1_000 });
  const put = (as: 'blocks' | 'ops') =>
    registry.send('PUT', `/v1/blobs/${'a'.repeat(96)}`, { as, body: Buffer.alloc(600) });
  expect((await put('blocks')).status).not.toBe(429);
  expect(code(await put('blocks'))).toEqual([429, 'rate_limited']);
  expect((await put('ops')).status).not.toBe(429);
  registry.clock.now = new Date(registry.clock.now.getTime() + 60 * 60_000);
  expect((await put('blocks')).status).not.toBe(429);
});

test('uploads that stop in the middle give their turns back', async () => {
  await start({});
  const url = new URL(await registry.app.listen({ port: 0, host: '127.0.0.1' }));
  const headers = {
    authorization: `Bearer ${registry.tokens.blocks}`,
    'content-type': 'application/octet-stream',
    'content-length': '1000',
  };
  const stuck = Array.from({ length: 8 }, () => {
    const request = httpRequest({
      host: url.hostname,
      port: url.port,
      method: 'PUT',
      path: `/v1/blobs/${'a'.repeat(96)}`,
      headers,
      agent: false,
    });
    request.on('error', () => undefined);
    request.flushHeaders();
    return request;
  });
  await Promise.all(stuck.map((request) => once(request, 'socket')));
  for (const request of stuck) request.destroy();
  const response = await fetch(new URL(`/v1/blobs/${'a'.repeat(96)}`, url), {
    method: 'PUT',
    headers: { authorization: headers.authorization, 'content-type': 'application/octet-stream' },
    body: 'x',
  });
  expect(response.status).toBe(422);
});
