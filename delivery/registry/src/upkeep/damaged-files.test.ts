import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskStore } from '@site/artifacts/disk-store';
import { integrityHex, computeIntegrity } from '@site/contract/integrity';
import type { SiteStore } from '@site/artifacts/record-store';
import { createS3Store } from '@site/artifacts/s3-store';
import { startS3 } from '@site/artifacts/testing/start-s3';
import { createTestS3Client } from '@site/artifacts/testing/test-s3-client';
import type { ReleaseDocument, VerificationAnswer, VersionManifest } from '@site/contract';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { createHarness, type Harness } from '../testing/harness.ts';
import { manifestBytes } from '../testing/manifests.ts';

interface Storage {
  store: SiteStore;
  folder: string;
  stop(): Promise<void>;
}

async function disk(): Promise<Storage> {
  const folder = await mkdtemp(join(tmpdir(), 'damaged-'));
  return { folder, store: createDiskStore(folder), stop: () => rm(folder, { recursive: true }) };
}

async function bucket(): Promise<Storage> {
  const folder = await mkdtemp(join(tmpdir(), 'damaged-s3-'));
  const server = await startS3({ folder });
  const client = createTestS3Client(server);
  return {
    folder,
    store: createS3Store({ bucket: server.bucket, client }),
    async stop() {
      client.destroy();
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

describe.each([
  ['on disk', disk],
  ['in S3', bucket],
])('%s', (_, open) => {
  let server: TestDatabase;
  let storage: Storage;
  let registry: Harness;
  let site: Awaited<ReturnType<Harness['startSite']>>;
  beforeAll(async () => {
    server = await startDatabase();
    storage = await open();
    registry = await createHarness(server.database, storage.store);
    site = await registry.startSite();
  });
  afterAll(async () => {
    await registry.stop();
    await storage.stop();
    await server.stop();
  });

  /** Replaces a blob by other bytes of the same length. */
  async function damage(integrity: string): Promise<void> {
    const hex = integrityHex(integrity);
    const names = await readdir(storage.folder, { recursive: true });
    // An S3 server keeps its metadata next to the object.
    const name = names.find((each) => each.endsWith(`/${hex}`) || each.endsWith(`/${hex}._S3rver_object`));
    const file = join(storage.folder, name ?? 'none');
    await writeFile(file, Buffer.alloc((await stat(file)).size, 7));
    expect(computeIntegrity(await readFile(file))).not.toBe(integrity);
  }

  const verify = async () =>
    (await registry.send<VerificationAnswer>('POST', '/v1/verifications', { body: {} })).body.artifacts;

  /** Publishes like the command line: uploads only what the registry reports as missing. */
  async function publish(
    manifest: VersionManifest,
    again = false,
  ): Promise<{ sent: string[]; status: number }> {
    const files = new Map(manifestBytes(manifest).map((bytes) => [computeIntegrity(bytes), bytes]));
    const integrities = [...files.keys()];
    const { missing } = (await registry.send('POST', '/v1/blobs/missing', { body: { integrities } })).body;
    for (const integrity of missing) {
      await registry.send('PUT', `/v1/blobs/${integrityHex(integrity)}`, {
        body: files.get(integrity) ?? Buffer.of(),
      });
    }
    const { status, body } = await registry.send('POST', '/v1/versions', { body: manifest });
    if (!again && status !== 200 && body.errors[0]?.code === 'blob_missing') return publish(manifest, true);
    return { sent: missing, status };
  }

  test('files that verification found damaged are repaired by publishing the version again', async () => {
    const { partners } = site;
    const [file] = partners.assets;
    for (const integrity of [partners.server.integrity, file?.integrity ?? '']) await damage(integrity);
    expect((await verify()).damaged.map(({ integrity }) => integrity).sort()).toEqual(
      [partners.server.integrity, file?.integrity].sort(),
    );
    const { sent, status } = await publish(partners);
    expect(status).toBe(200);
    expect(sent.sort()).toEqual([partners.server.integrity, file?.integrity].sort());
    expect(await verify()).toMatchObject({ missing: [], damaged: [] });
    expect((await publish(partners)).sent).toEqual([]);
  });

  test('publishing a version again also repairs undetected damage to files and pages', async () => {
    const { partners } = site;
    const { body } = await registry.send<ReleaseDocument>('GET', '/v1/releases/r1/document');
    const [page = ''] = Object.values(body.rendered['/partners'] ?? {});
    const broken = [partners.server.integrity, partners.assets[0]?.integrity ?? ''];
    for (const integrity of [...broken, page]) await damage(integrity);
    const { sent, status } = await publish(partners);
    expect([status, sent.sort()]).toEqual([200, broken.sort()]);
    expect(await verify()).toMatchObject({ missing: [], damaged: [] });
  });

  test('a version with damaged files is not recorded again before they are uploaded', async () => {
    await damage(site.blocks.server.integrity);
    await verify();
    const { status, body } = await registry.send('POST', '/v1/versions', { body: site.blocks });
    expect([status, body.errors[0]?.code]).toEqual([422, 'blob_missing']);
    await publish(site.blocks);
    expect((await verify()).damaged).toEqual([]);
  });

  test('a damaged live page is rendered again when its version is published again', async () => {
    const { body } = await registry.send<ReleaseDocument>('GET', '/v1/releases/r1/document');
    const [page = ''] = Object.values(body.rendered['/blocks'] ?? {});
    await damage(page);
    expect((await verify()).damaged.map(({ integrity }) => integrity)).toEqual([page]);
    await publish(site.blocks);
    expect(await verify()).toMatchObject({ missing: [], damaged: [] });
    expect(await registry.store.get(page).then((bytes) => bytes && computeIntegrity(bytes))).toBe(page);
  });
});
