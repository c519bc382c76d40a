import { S3Client } from '@aws-sdk/client-s3';
import { testCredentials, type TestS3 } from './start-s3.ts';

export function createTestS3Client({ endpoint }: Pick<TestS3, 'endpoint'>): S3Client {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = testCredentials;
  return new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: { accessKeyId, secretAccessKey },
  });
}
