import { gzipSync } from 'node:zlib';
import { integrityHex } from '@site/contract/integrity';
import type { FaultGroup } from '@site/contract/registry-calls/guard.calls';
import type { FaultSum } from '@site/contract/signals/sums.schema';
import type { CollectionAnswer, VerificationAnswer } from '@site/contract';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness, registryTables } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { testEdge } from '../testing/signals.ts';
import { mapTo, named, packMaps } from '../testing/source-maps.ts';

const registry = forEachTest(createHarness);

const paths = ['/blocks', '/blocks/auth'];
const blocks = remoteManifest('mfe-blocks', { paths });
const source = { file: 'mfe-blocks/src/pages/blocks-page.tsx', line: 12, column: 5 };
const fault: FaultSum = {
  kind: 'error',
  browsers: {},
  app: 'mfe-blocks',
  version: blocks.version,
  message: 'x is undefined',
  file: '/assets/mfe-blocks/chunk.js',
  line: 3,
  column: 14,
  route: '/blocks',
  count: 1,
};

async function publish(bytes: Buffer): Promise<string> {
  const sourceMaps = named(bytes);
  await registry.send('PUT', `/v1/blobs/${integrityHex(sourceMaps.integrity)}`, { body: bytes });
  const { status, body } = await registry.publish({ ...blocks, sourceMaps });
  expect([status, body]).toEqual([status < 300 ? status : 201, body]);
  return sourceMaps.integrity;
}
const publishMaps = async (maps: Record<string, string>) => publish((await packMaps(maps)).bytes);

async function told(more: Partial<FaultSum> = {}): Promise<FaultGroup | undefined> {
  await testEdge(registry).tell([], { faults: [{ ...fault, ...more }] });
  const { body } = await registry.send<{ faults: FaultGroup[] }>('GET', '/v1/channels/production/faults');
  return body.faults[0];
}

describe('a fault', () => {
  test('of a version with source maps has its source location in addition to the built one', async () => {
    await publishMaps({ 'other.js': mapTo('wrong.ts'), 'chunk.js': mapTo(source.file) });
    expect(await told()).toMatchObject({ file: fault.file, line: 3, column: 14, source });
    // Again, from the cache.
    expect(await told({ count: 2 })).toMatchObject({ source });
  });

  test('of the shell as well', async () => {
    const { shell } = await registry.startSite();
    const { bytes, sourceMaps } = await packMaps({ [shell.entry]: mapTo('shell/src/main.tsx') });
    await registry.send('PUT', `/v1/blobs/${integrityHex(sourceMaps.integrity)}`, { body: bytes });
    await registry.publish({ ...shell, sourceMaps });
    const place = { app: 'shell', version: shell.version, file: `/assets/shell/${shell.entry}` };
    expect(await told(place)).toMatchObject({ source: { file: 'shell/src/main.tsx', line: 12, column: 5 } });
  });

  test.each<[string, Partial<FaultSum>]>([
    ['of a script that has no map', { file: '/assets/mfe-blocks/remoteEntry.1.js' }],
    ['at a place that came from no source', { line: 1, column: 1 }],
    ['before the first place of its line', { column: 2 }],
    ['in a line that the script does not have', { line: 9_999_999 }],
    ['without a line', { line: undefined, column: undefined }],
    ['at line 0', { line: 0 }],
    ['without a file', { file: undefined }],
    ['of an unpublished version', { version: '9.9.9-000000000009' }],
  ])('%s keeps its built location', async (_case, { file, line, column, ...more }) => {
    await publishMaps({ 'chunk.js': mapTo(source.file) });
    const place = { file, line, column };
    const given = Object.fromEntries(
      Object.entries({ ...fault, ...place }).filter(([, value]) => value !== undefined),
    );
    const asked = { ...(given as FaultSum), ...more };
    await testEdge(registry).tell([], { faults: [asked] });
    const { body } = await registry.send<{ faults: FaultGroup[] }>('GET', '/v1/channels/production/faults');
    expect(body.faults[0]).toMatchObject({
      source: null,
      file: asked.file ?? null,
      line: asked.line ?? null,
    });
  });

  test('of a version published by an older build keeps its built location', async () => {
    await registry.publish(blocks);
    expect(await told()).toMatchObject({ file: fault.file, line: 3, column: 14, source: null });
  });

  test.each<[string, Buffer]>([
    ['is not compressed', Buffer.from(`["chunk.js",${mapTo('x.ts')}]\n`)],
    ['is larger unpacked than it may be', gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))],
    ['has no JSON', gzipSync('["chunk.js",{"version":3')],
    ['has something else', gzipSync('["chunk.js",["a source map?"]]\n')],
    ['has a map of maps', gzipSync('["chunk.js",{"version":3,"sections":[]}]\n')],
    ['has no mappings', gzipSync('["chunk.js",{"version":3,"sources":["x.ts"]}]\n')],
  ])('of a version whose source map %s keeps its built location', async (_case, bytes) => {
    await publish(bytes);
    expect(await told()).toMatchObject({ file: fault.file, source: null });
  });

  test('has its built location while the store is down, and its source location afterwards', async () => {
    const integrity = await publishMaps({ 'chunk.js': mapTo(source.file) });
    const { get } = registry.store;
    registry.store.get = (asked) => (asked === integrity ? Promise.reject(new Error('away')) : get(asked));
    expect(await told()).toMatchObject({ source: null });
    registry.store.get = async (asked) => (asked === integrity ? Buffer.from('damaged') : get(asked));
    expect(await told()).toMatchObject({ source: null });
    registry.store.get = get;
    expect(await told()).toMatchObject({ source });
  });

  test('source names cannot send control sequences to a terminal', async () => {
    await publishMaps({ 'chunk.js': mapTo(`a\u001b[2J\n${'b'.repeat(1_000)}`) });
    const file = (await told())?.source?.file ?? '';
    expect(file).toMatch(/^a\\u001b\[2J\\nb+$/);
    expect(file.length).toBe(300);
  });
});

test('for many faults and concurrent requests, each map is read once, one at a time', async () => {
  const scripts = Array.from({ length: 20 }, (_, index) => `chunk${index}.js`);
  const integrity = await publishMaps(Object.fromEntries(scripts.map((path) => [path, mapTo(`${path}.ts`)])));
  const faults = scripts.map((path) => ({ ...fault, file: `/assets/mfe-blocks/${path}` }));
  await testEdge(registry).tell([], { faults });
  let [reads, now, most] = [0, 0, 0];
  const { get } = registry.store;
  registry.store.get = async (asked) => {
    if (asked === integrity) [reads, now, most] = [reads + 1, now + 1, Math.max(most, now + 1)];
    const bytes = await get(asked);
    if (asked === integrity) now -= 1;
    return bytes;
  };
  const ask = () => registry.send<{ faults: FaultGroup[] }>('GET', '/v1/channels/production/faults?limit=50');
  const answers = await Promise.all([ask(), ask(), ask()]);
  for (const { body } of answers)
    expect(body.faults.map((each) => each.source?.file).sort()).toEqual(
      scripts.map((path) => `${path}.ts`).sort(),
    );
  expect([reads, most]).toEqual([1, 1]);
});

describe('source maps', () => {
  test('are not exposed: no release document, manifest or asset references them', async () => {
    const integrity = await publishMaps({ 'chunk.js': mapTo(source.file) });
    await registry.startSite();
    for (const path of [
      '/v1/releases/r1/document',
      `/v1/apps/mfe-blocks/versions/${blocks.version}`,
      '/v1/channels/production',
    ]) {
      const { status, body } = await registry.send<object>('GET', path);
      expect([path, status]).toEqual([path, 200]);
      expect(JSON.stringify(body)).not.toContain(integrity);
      expect(JSON.stringify(body)).not.toMatch(/source-?maps/i);
    }
    for (const path of ['source-maps.gz', 'chunk.js.map', `${blocks.entry}.map`])
      expect([path, (await registry.send('GET', `/v1/assets/mfe-blocks/${path}`)).status]).toEqual([
        path,
        404,
      ]);
  });

  test('are rejected among the public assets', async () => {
    const map = { ...blocks.assets[1], path: 'chunk.js.map' } as (typeof blocks.assets)[number];
    const { status, body } = await registry.publish({ ...blocks, assets: [...blocks.assets, map] });
    expect([status, body.errors[0]?.code]).toEqual([422, 'manifest_malformed']);
    expect(body.errors[0]?.detail).toContain('"chunk.js.map"');
  });

  test('that are too large or not in the store are rejected', async () => {
    const { bytes, sourceMaps } = await packMaps({ 'chunk.js': mapTo(source.file) });
    const large = { ...sourceMaps, size: 16 * 1024 * 1024 + 1 };
    const tooLarge = await registry.publish({ ...blocks, sourceMaps: large });
    expect([tooLarge.status, tooLarge.body.errors[0]?.source?.pointer]).toEqual([422, '/sourceMaps/size']);
    const missing = await registry.publish({ ...blocks, sourceMaps });
    expect([missing.status, missing.body.errors[0]?.code]).toEqual([422, 'blob_missing']);
    await registry.send('PUT', `/v1/blobs/${integrityHex(sourceMaps.integrity)}`, { body: bytes });
    const wrong = await registry.publish({ ...blocks, sourceMaps: { ...sourceMaps, size: 1 } });
    expect([wrong.status, wrong.body.errors[0]?.code]).toEqual([422, 'blob_size_mismatch']);
  });

  test("are not part of a version's identity: republished with others, it is the same version with the new ones", async () => {
    await registry.publish(blocks);
    expect(await told()).toMatchObject({ source: null });
    await publishMaps({ 'chunk.js': mapTo(source.file) });
    expect(await told()).toMatchObject({ source });
    await publishMaps({ 'chunk.js': mapTo('moved.tsx') });
    expect(await told()).toMatchObject({ source: { ...source, file: 'moved.tsx' } });
    // From an older CLI, which sends none.
    await registry.publish(blocks);
    expect(await told()).toMatchObject({ source: { ...source, file: 'moved.tsx' } });
    const { body } = await registry.send<{ versions: object[] }>('GET', '/v1/apps/mfe-blocks/versions');
    expect(body.versions).toHaveLength(1);
  });

  test('count as bytes of the app', async () => {
    const { bytes } = await packMaps({ 'chunk.js': mapTo(source.file) });
    await publish(bytes);
    const row = await registryTables(registry)
      .selectFrom('versions')
      .select('bytes')
      .executeTakeFirstOrThrow();
    const files = [...blocks.assets, blocks.server].reduce((sum, { size }) => sum + size, 0);
    expect(row.bytes).toBe(files + bytes.length);
  });

  test('are kept, verified and deleted with their version', async () => {
    await registry.startSite();
    const first = await publishMaps({ 'chunk.js': mapTo(source.file) });
    const second = remoteManifest('mfe-blocks', { paths, contents: 2 });
    const { bytes, sourceMaps } = await packMaps({ 'chunk.js': mapTo('second.tsx') });
    await registry.send('PUT', `/v1/blobs/${integrityHex(sourceMaps.integrity)}`, { body: bytes });
    await registry.publish({ ...second, sourceMaps });

    const verify = async () =>
      (await registry.send<VerificationAnswer>('POST', '/v1/verifications', { body: {} })).body.artifacts;
    expect(await verify()).toMatchObject({ missing: [], damaged: [] });
    await registry.store.delete(sourceMaps.integrity);
    expect((await verify()).missing).toEqual([
      { integrity: sourceMaps.integrity, usedBy: [`mfe-blocks@${second.version}: source maps`] },
    ]);
    await registry.send('PUT', `/v1/blobs/${integrityHex(sourceMaps.integrity)}`, { body: bytes });

    const aYear = 365 * 24 * 60 * 60_000;
    registry.clock.now = new Date(Date.now() + aYear);
    const { body } = await registry.send<CollectionAnswer>('POST', '/v1/collections', {
      body: { keepReleases: 1, keepDays: 1 },
    });
    expect(body.versions.map(({ version }) => version)).toEqual([second.version]);
    expect(await registry.store.has(first)).toBe(true);
    expect(await registry.store.has(sourceMaps.integrity)).toBe(false);
    expect((await verify()).missing).toEqual([]);
    expect(await told({ version: second.version })).toMatchObject({ source: null });
  });
});
