import { proxyEnv } from '@site/contract/env-proxy';
import { parseBucket } from '@site/server/config';
import { ArtifactStoreError } from './artifact-store.ts';
import { createDiskStore } from './disk-store.ts';
import type { SiteStore } from './record-store.ts';

export interface S3Settings {
  endpoint?: string | undefined;
  region?: string | undefined;
}

/**
 * `s3://bucket`, `s3://bucket/prefix`, or a folder. S3 credentials come from the AWS SDK's default chain. @throws
 * ArtifactStoreError for an invalid location.
 */
export async function openStore(location: string, s3: S3Settings = {}): Promise<SiteStore> {
  if (!location.includes('://')) return createDiskStore(location);
  const named = parseBucket(location);
  if (!named) {
    throw new ArtifactStoreError(
      `ARTIFACTS is "${location}", which is neither a folder nor "s3://bucket" or "s3://bucket/prefix". Correct it.`,
    );
  }
  return openS3(named.bucket, named.prefix, s3);
}

async function openS3(bucket: string, prefix: string, { endpoint, region }: S3Settings) {
  // Lazy, so that a folder does not load the SDK.
  const [{ S3Client }, { createS3Store }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('./s3-store.ts'),
  ]);
  const knownRegion = region ?? (endpoint === undefined ? undefined : 'us-east-1');
  const agent = { maxSockets: 64, keepAlive: true, proxyEnv: proxyEnv(process.env) };
  const client = new S3Client({
    ...(knownRegion === undefined ? {} : { region: knownRegion }),
    // Other servers rarely support virtual-hosted buckets.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: 20_000,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
    },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return createS3Store({ bucket, prefix, client });
}
