import { ArtifactStoreError } from '@site/artifacts/artifact-store';
import { forEachTest } from '@site/server/testing/for-each-test';
import type { ReleaseDocument, VerificationAnswer } from '@site/contract';
import { createHarness, siteConfig, registryTables } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';

const registry = forEachTest(createHarness);

const blocks2 = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
const toBlocks2 = { 'mfe-blocks': blocks2.version };

async function readDocument(release: string): Promise<ReleaseDocument> {
  return (await registry.send<ReleaseDocument>('GET', `/v1/releases/${release}/document`)).body;
}

async function lostPages(release: string): Promise<string[]> {
  const { rendered } = await readDocument(release);
  const all = Object.values(rendered).flatMap((variants) => Object.values(variants));
  const has = await Promise.all(all.map((integrity) => registry.store.has(integrity)));
  return all.filter((_, index) => !has[index]);
}

async function lose(release: string, path: string): Promise<void> {
  const { rendered } = await readDocument(release);
  for (const integrity of Object.values(rendered[path] ?? {})) await registry.store.delete(integrity);
  expect(await lostPages(release)).not.toEqual([]);
}

async function losePacks(release: string, app: string): Promise<void> {
  const lost = (await readDocument(release)).packs?.pages[app] ?? [];
  expect(lost).toHaveLength(1);
  for (const pack of lost) await registry.store.delete(pack);
}

test('activating live versions renders exactly the pages that the store has lost', async () => {
  const { blocks } = await registry.startSite();
  await lose('r1', '/partners');
  const { status, body } = await registry.activate({ 'mfe-blocks': blocks.version });
  expect([status, body.changed, body.rendered]).toEqual([200, false, 2]);
  expect(registry.composer.requests.map(({ app, pages }) => [app, pages.length])).toEqual([
    ['mfe-partners', 1],
  ]);
  expect(await lostPages('r1')).toEqual([]);
});

test('a new release renders the lost pages of every app, even if they come out differently', async () => {
  await registry.startSite();
  await registry.publish(blocks2);
  await lose('r1', '/partners');
  await losePacks('r1', 'mfe-partners');
  const { compose } = registry.composer;
  registry.composer.compose = async (request) =>
    (await compose(request)).map((page) => ({
      ...page,
      page: { ...page.page, head: '<title>Again</title>' },
    }));
  expect((await registry.activate(toBlocks2)).status).toBe(201);
  expect(await lostPages('r2')).toEqual([]);
  expect(await lostPages('r1')).toEqual([]);
});

test('a new release checks only the packs of pages, and renders nothing if they exist', async () => {
  await registry.startSite();
  await registry.publish(blocks2);
  await lose('r1', '/partners');
  registry.composer.requests.length = 0;
  const asked = jest.spyOn(registry.store, 'has');
  expect((await registry.activate(toBlocks2)).status).toBe(201);
  const { packs } = await readDocument('r2');
  const pages = [...new Set([...Object.values(packs?.pages ?? {}).flat(), ...asked.mock.calls.flat()])];
  expect(pages.sort()).toEqual([...new Set(asked.mock.calls.flat())].sort());
  expect(registry.composer.requests).toEqual([]);
});

test('pages of a lost pack are checked individually', async () => {
  await registry.startSite();
  await registry.publish(blocks2);
  await losePacks('r1', 'mfe-partners');
  expect((await registry.activate(toBlocks2)).body.rendered).toBe(0);
});

test('an existing page is not rendered again, and keeps its file', async () => {
  await registry.startSite();
  await registry.publish(blocks2);
  const before = await readDocument('r1');
  registry.composer.requests.length = 0;
  await registry.activate(toBlocks2);
  expect(registry.composer.requests.map(({ app }) => app)).not.toContain('mfe-partners');
  expect((await readDocument('r2')).rendered['/partners']).toEqual(before.rendered['/partners']);
});

describe('publishing again', () => {
  const blocks1 = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'] });

  async function missing(): Promise<string[]> {
    const { body } = await registry.send<VerificationAnswer>('POST', '/v1/verifications', { body: {} });
    return [...new Set(body.artifacts.missing.flatMap(({ usedBy }) => usedBy))];
  }

  async function startStaging(): Promise<string> {
    const { shell, blocks, partners } = await registry.startSite();
    const { compose } = registry.composer;
    registry.composer.compose = async (request) =>
      (await compose(request)).map((page) => ({
        ...page,
        page: { ...page.page, head: `<title>${request.config.origin}</title>` },
      }));
    const apps = Object.fromEntries([shell, blocks, partners].map(({ app, version }) => [app, version]));
    const config = { ...siteConfig, origin: 'https://staging.test' };
    const { body } = await registry.send('POST', '/v1/channels/staging/releases', {
      body: { apps, config, reason: 'a test' },
    });
    return body.release.id;
  }

  test('renders the lost pages of the live release of every channel', async () => {
    const staging = await startStaging();
    await lose(staging, '/blocks');
    await losePacks(staging, 'mfe-blocks');
    expect((await registry.publish(blocks1)).status).toBe(200);
    expect(Object.keys((await readDocument(staging)).rendered).sort()).toEqual([
      '/blocks',
      '/blocks/auth',
      '/partners',
    ]);
    expect(await lostPages(staging)).toEqual([]);
    expect(await missing()).toEqual([]);
  });

  test('restores a lost page from its pack', async () => {
    await registry.startSite();
    const { rendered } = await readDocument('r1');
    await lose('r1', '/blocks');
    expect((await registry.publish(blocks1)).status).toBe(200);
    expect(registry.composer.requests).toEqual([]);
    expect((await readDocument('r1')).rendered).toEqual(rendered);
    expect(await lostPages('r1')).toEqual([]);
  });

  test('removes a lost page from the index if no channel shows it', async () => {
    await registry.startSite();
    registry.composer.extraMarkup = () => 'the second version';
    await registry.publish(blocks2);
    await registry.activate(toBlocks2);
    await lose('r1', '/blocks');
    await losePacks('r1', 'mfe-blocks');
    expect((await registry.publish(blocks1)).status).toBe(200);
    expect(Object.keys((await readDocument('r1')).rendered).sort()).toEqual(['/blocks/auth', '/partners']);
    expect(await missing()).toEqual([]);
  });

  test.each([
    ['publishing its version', () => registry.publish(blocks1)],
    ['activating what is live', () => registry.activate({ 'mfe-blocks': blocks1.version })],
  ])('a lost pack of pages is recreated by %s again', async (_, repair) => {
    await registry.startSite();
    await losePacks('r1', 'mfe-blocks');
    expect(await missing()).toEqual([`mfe-blocks@${blocks1.version}: pack of pages`]);
    expect((await repair()).status).toBe(200);
    expect(await missing()).toEqual([]);
    const [pack = ''] = (await readDocument('r1')).packs?.pages['mfe-blocks'] ?? [];
    expect(await registry.store.has(pack)).toBe(true);
    expect(registry.composer.requests).toEqual([]);
  });

  test('a damaged pack of pages is recreated', async () => {
    await registry.startSite();
    const [pack = ''] = (await readDocument('r1')).packs?.pages['mfe-blocks'] ?? [];
    await registryTables(registry)
      .insertInto('damaged_blobs')
      .values({ integrity: pack, found_at: registry.clock.now })
      .execute();
    expect((await registry.publish(blocks1)).status).toBe(200);
    const [repaired = ''] = (await readDocument('r1')).packs?.pages['mfe-blocks'] ?? [];
    const asked = await registry.send('POST', '/v1/blobs/missing', { body: { integrities: [repaired] } });
    expect(asked.body.missing).toEqual([]);
  });
});

describe('a rollback', () => {
  beforeEach(async () => {
    await registry.startSite();
    await registry.publish(blocks2);
    await registry.activate(toBlocks2);
  });

  test('renders the lost pages of the restored version', async () => {
    await lose('r1', '/blocks');
    expect((await registry.rollBack({ app: 'mfe-blocks' })).body.rendered).toBe(1);
    expect(await lostPages('r3')).toEqual([]);
  });

  test('works while the store is down, also during a canary', async () => {
    const partners2 = remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents: 2 });
    await registry.publish(partners2);
    await registry.activate({ 'mfe-partners': partners2.version }, { share: 10 });
    const away = new ArtifactStoreError('The disk is gone.');
    for (const method of ['has', 'get', 'put', 'blobSize'] as const) {
      jest.spyOn(registry.store, method).mockRejectedValue(away);
    }
    const config = { ...siteConfig, origin: 'https://moved.test' };
    expect((await registry.activate({}, { config })).status).toBe(503);
    away.cause = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    expect((await registry.activate({}, { config })).body.errors[0]).toMatchObject({
      code: 'disk_full',
      detail: expect.stringMatching(
        /^The disk of the artifact store is full\. Free some space there/,
      ) as string,
    });
    const { status, body } = await registry.rollBack({ app: 'mfe-blocks' });
    expect([status, body.rendered, body.revoked]).toEqual([201, 0, ['r2']]);
    const { state } = (await registry.send('GET', '/v1/channels/production')).body;
    expect(state).toMatchObject({ live: 'r4', canaries: [{ release: 'r3', share: 10 }] });
  });
});
