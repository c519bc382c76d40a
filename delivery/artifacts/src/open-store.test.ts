import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArtifactStoreError } from './artifact-store.ts';
import { computeIntegrity } from '@site/contract/integrity';
import { openStore } from './open-store.ts';

const bytes = Buffer.from('some bytes');

test('a path is a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'artifacts-'));
  const store = await openStore(folder);
  await store.put(computeIntegrity(bytes), bytes);
  expect(await (await openStore(folder)).get(computeIntegrity(bytes))).toEqual(bytes);
  await rm(folder, { recursive: true });
});

test.each(['s3://', 's3://Bucket', 's3://bucket/../other', 'https://bucket', 's3://bucket?x=1', 's3://b'])(
  'rejects %s, and lists the valid forms',
  async (location) => {
    await expect(openStore(location)).rejects.toThrow(ArtifactStoreError);
    await expect(openStore(location)).rejects.toThrow(
      `ARTIFACTS is "${location}", which is neither a folder nor "s3://bucket"`,
    );
  },
);
