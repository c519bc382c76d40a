import { readPack } from '@site/artifacts/pack';
import { integrityHex, computeIntegrity } from '@site/contract/integrity';
import type { ReleaseDocument, VerificationAnswer } from '@site/contract';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness, registryTables } from '../testing/harness.ts';
import { manifestBytes, remoteManifest, shellManifest } from '../testing/manifests.ts';

const registry = forEachTest(createHarness);

const blocks2 = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
const toBlocks2 = { 'mfe-blocks': blocks2.version };
const name2 = `mfe-blocks@${blocks2.version}`;

async function readDocument(release: string): Promise<ReleaseDocument> {
  return (await registry.send<ReleaseDocument>('GET', `/v1/releases/${release}/document`)).body;
}

async function readContents(pack = ''): Promise<string[]> {
  const bytes = await registry.store.get(pack);
  return bytes ? readPack(bytes).map(({ integrity }) => integrity) : [];
}

function renderOtherwise(): void {
  const { compose } = registry.composer;
  registry.composer.compose = async (request) =>
    (await compose(request)).map((composed) => ({
      ...composed,
      page: { ...composed.page, head: '<title>Again</title>' },
    }));
}

test('a release has one pack for the files of each version, and one for its pages', async () => {
  await registry.startSite();
  await registry.publish(blocks2);
  await registry.activate(toBlocks2);
  const { packs, manifests, rendered } = await readDocument('r2');
  expect(Object.keys(packs?.files ?? {}).sort()).toEqual(Object.keys(manifests).sort());
  expect((await readContents(packs?.files[name2])).sort()).toEqual(
    blocks2.assets.map(({ integrity }) => integrity).sort(),
  );
  const [pages, ...others] = packs?.pages['mfe-blocks'] ?? [];
  expect(others).toEqual([]);
  expect((await readContents(pages)).sort()).toEqual(
    blocks2.pages.flatMap(({ path }) => Object.values(rendered[path] ?? {})).sort(),
  );
});

test('a new shell creates new packs of pages, and keeps those of files', async () => {
  await registry.startSite();
  const shell = shellManifest({ contents: 2 });
  renderOtherwise();
  await registry.publish(shell);
  await registry.activate({ shell: shell.version });
  const [before, after] = [(await readDocument('r1')).packs, (await readDocument('r2')).packs];
  expect(after?.files).toMatchObject({ [name2.replace('000002', '000001')]: expect.any(String) as string });
  for (const [name, pack] of Object.entries(before?.files ?? {}))
    if (!name.startsWith('shell@')) expect(after?.files[name]).toBe(pack);
  expect(after?.pages['mfe-blocks']).not.toEqual(before?.pages['mfe-blocks']);
});

test('an activation reads nothing from the store: document weights are in the database', async () => {
  await registry.startSite();
  await registry.publish(blocks2);
  const reads = (['get', 'getEncoded'] as const).map((method) => jest.spyOn(registry.store, method));
  await registry.activate(toBlocks2);
  expect(reads.map(({ mock }) => mock.calls)).toEqual([[], []]);
});

test('weights from another document format are measured again', async () => {
  await registry.startSite();
  await registry.publish(blocks2);
  const pages = registryTables(registry);
  const rows = () =>
    pages
      .selectFrom('rendered_pages')
      .select('weight')
      .where('app_version', '=', blocks2.version)
      .orderBy('path')
      .execute();
  const before = await rows();
  expect(before.map(({ weight }) => weight?.bytes)).toEqual([expect.any(Number), expect.any(Number)]);
  const other = JSON.stringify({ of: 'another way', bytes: 1, sent: 1 });
  await pages.updateTable('rendered_pages').set({ weight: other }).execute();
  await registry.activate(toBlocks2);
  expect(await rows()).toEqual(before);
});

test('a damaged file in the store is detected when its version is published', async () => {
  await registry.startSite();
  const [file] = blocks2.assets;
  for (const bytes of manifestBytes(blocks2)) {
    await registry.send('PUT', `/v1/blobs/${integrityHex(computeIntegrity(bytes))}`, { body: bytes });
  }
  const { get } = registry.store;
  registry.store.get = async (integrity) =>
    integrity === file?.integrity ? Buffer.alloc(file.size, 7) : get(integrity);
  const { status, body } = await registry.send('POST', '/v1/versions', { body: blocks2 });
  expect([status, body.errors[0]?.code]).toEqual([422, 'blob_missing']);
  expect(body.errors[0]?.detail).toContain(`${file?.path} of ${name2}`);
  registry.store.get = get;
  const { missing } = (
    await registry.send('POST', '/v1/blobs/missing', { body: { integrities: [file?.integrity] } })
  ).body;
  expect(missing).toEqual([file?.integrity]);
  expect((await registry.publish(blocks2)).status).toBe(201);
});

test('packs are verified, and publishing a version again repairs its own', async () => {
  await registry.startSite();
  const { packs } = await readDocument('r1');
  const [name, pack = ''] =
    Object.entries(packs?.files ?? {}).find(([each]) => each.startsWith('mfe-blocks')) ?? [];
  const verify = async () =>
    (await registry.send<VerificationAnswer>('POST', '/v1/verifications', { body: {} })).body.artifacts
      .missing;
  await registry.store.delete(pack);
  expect(await verify()).toEqual([{ integrity: pack, usedBy: [`${name}: pack`] }]);
  await registry.publish(remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'] }));
  expect(await verify()).toEqual([]);
});

test('garbage collection keeps the packs of kept versions, and deletes others', async () => {
  await registry.startSite();
  renderOtherwise();
  await registry.publish(blocks2);
  const listPacks = async () => {
    const tables = registryTables(registry);
    const versions = await tables
      .selectFrom('versions')
      .select('pack')
      .where('app', '=', 'mfe-blocks')
      .execute();
    const pages = await tables
      .selectFrom('rendered_pages')
      .select('pack')
      .distinct()
      .where('app', '=', 'mfe-blocks')
      .execute();
    return [...versions, ...pages].map(({ pack }) => pack ?? '');
  };
  const all = await listPacks();
  expect(all).toHaveLength(4);
  // Files have timestamps of the real clock, which are old for this one.
  registry.clock.now = new Date(Date.now() + 400 * 24 * 60 * 60_000);
  await registry.send('POST', '/v1/collections', { body: { keepReleases: 1, keepDays: 1 } });
  const { packs } = await readDocument('r1');
  const kept = [...Object.values(packs?.files ?? {}), ...Object.values(packs?.pages ?? {}).flat()];
  for (const pack of new Set([...all, ...kept])) {
    expect([pack, await registry.store.has(pack)]).toEqual([pack, kept.includes(pack)]);
  }
});
