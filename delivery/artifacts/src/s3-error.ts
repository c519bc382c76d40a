import type { S3Client } from '@aws-sdk/client-s3';
import { ArtifactStoreError } from './artifact-store.ts';

/** The HTTP status with which the server refused, if it answered at all. */
export function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
}

/** What went wrong with a bucket, and what to do about it, for the log of the process that uses it. */
export async function s3Error(
  error: unknown,
  action: string,
  bucket: string,
  client: S3Client,
): Promise<ArtifactStoreError> {
  const where = await endpointOf(client);
  return new ArtifactStoreError(`Cannot ${action} the bucket "${bucket}"${where}: ${reasonOf(error)}.`, {
    cause: error,
  });
}

const REASONS: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket; create it, or correct ARTIFACTS',
  CredentialsProviderError:
    'no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role',
  InvalidAccessKeyId: 'the access key is not known there; correct AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'the secret key is not the one of the access key; correct AWS_SECRET_ACCESS_KEY',
  ExpiredToken: 'the credentials have expired; renew them',
  RequestTimeTooSkewed: 'the clock of this machine is wrong; set it',
  PermanentRedirect: 'the bucket is in another region; correct AWS_REGION',
  AuthorizationHeaderMalformed: 'the bucket is in another region; correct AWS_REGION',
  BadDigest: 'the bytes were changed on the way; try again',
  EntityTooLarge: 'the file is too large for it',
  ENOTFOUND: 'its host name is not known; correct S3_ENDPOINT or AWS_REGION',
  ECONNREFUSED: 'nothing listens there; start the server, or correct S3_ENDPOINT',
};

function reasonOf(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException;
  for (const cause of causesOf(error)) {
    // The SDK keeps the message only of what it does not take for an error, as one from another realm.
    const told = /\b(?:ECONNREFUSED|ENOTFOUND)\b/.exec(cause.message)?.[0];
    const known = REASONS[cause.name] ?? REASONS[cause.code ?? told ?? ''];
    if (known) return known;
  }
  if (message === 'Region is missing') return 'no region is set; set AWS_REGION';
  const status = statusOf(error);
  if (status === 403) {
    return 'the credentials do not allow it; they need s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket';
  }
  if (status === 301 || status === 307) return REASONS['PermanentRedirect'] ?? '';
  if (status !== undefined && status >= 500)
    return `it answers with ${status} (${name}); try again in a while`;
  if (name === 'TimeoutError' || name === 'AbortError') {
    return 'it did not answer in time; check the network and try again';
  }
  return message === '' ? (code ?? name) : message.replace(/\.$/, '');
}

/** The SDK wraps what the network said. */
function* causesOf(error: unknown): Generator<NodeJS.ErrnoException> {
  for (let cause = error as Error | undefined; cause; cause = cause.cause as Error | undefined) yield cause;
}

async function endpointOf(client: S3Client): Promise<string> {
  try {
    const endpoint = await client.config.endpoint?.();
    return endpoint ? ` at ${endpoint.hostname}${endpoint.port ? `:${endpoint.port}` : ''}` : '';
  } catch {
    return '';
  }
}
