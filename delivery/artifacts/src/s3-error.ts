import type { S3Client } from '@aws-sdk/client-s3';
import { proxyHint } from '@site/contract/env-proxy';
import { ArtifactStoreError } from './artifact-store.ts';

export function httpStatus(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
}

/** Whether a server or a proxy may have rejected a feature of the request rather than its contents. */
export function isUnsupported(error: unknown): boolean {
  const status = httpStatus(error);
  return status === 501 || (status === 400 && !((error as Error).name in REASONS));
}

export async function s3Error(
  error: unknown,
  action: string,
  bucket: string,
  client: S3Client,
): Promise<ArtifactStoreError> {
  const where = await describeEndpoint(client);
  return new ArtifactStoreError(
    `Cannot ${action} the bucket "${bucket}"${where}: ${failureReason(error)}.${hint(error)}`,
    {
      cause: error,
    },
  );
}

/** For errors without a response. */
const hint = (error: unknown) => (httpStatus(error) === undefined ? proxyHint(process.env, error) : '');

const REASONS: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket; create it, or correct ARTIFACTS',
  CredentialsProviderError:
    'no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role',
  InvalidAccessKeyId: 'the access key is unknown; correct AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'the secret key does not match the access key; correct AWS_SECRET_ACCESS_KEY',
  ExpiredToken: 'the credentials have expired; renew them',
  RequestTimeTooSkewed: 'the clock of this machine is wrong; set it',
  PermanentRedirect: 'the bucket is in another region; correct AWS_REGION',
  AuthorizationHeaderMalformed: 'the bucket is in another region; correct AWS_REGION',
  BadDigest: 'the bytes were changed in transit; try again',
  EntityTooLarge: 'the file is too large for the server',
  ENOTFOUND: 'the host name is unknown; correct S3_ENDPOINT or AWS_REGION',
  ECONNREFUSED: 'the connection was refused; start the server, or correct S3_ENDPOINT',
};

function failureReason(error: unknown): string {
  const { name, code, message } = error as NodeJS.ErrnoException;
  for (const cause of causes(error)) {
    // For errors of another realm the SDK keeps only the message.
    const told = /\b(?:ECONNREFUSED|ENOTFOUND)\b/.exec(cause.message)?.[0];
    const known = REASONS[cause.name] ?? REASONS[cause.code ?? told ?? ''];
    if (known) return known;
  }
  if (message === 'Region is missing') return 'no region is set; set AWS_REGION';
  const status = httpStatus(error);
  if (status === 403) {
    return 'the credentials do not allow it; they need s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket';
  }
  if (status === 301 || status === 307) return REASONS['PermanentRedirect'] ?? '';
  if (status === 501)
    return (
      `the server does not implement this request (${name}); use one that supports GetObject, ` +
      'PutObject, DeleteObject and ListObjectsV2'
    );
  if (status !== undefined && status >= 500)
    return `the server responds with ${status} (${name}); try again later`;
  if (name === 'TimeoutError' || name === 'AbortError') {
    return 'the server did not respond in time; check the network and try again';
  }
  return message === '' ? (code ?? name) : message.replace(/\.$/, '');
}

/** The SDK wraps network errors. */
function* causes(error: unknown): Generator<NodeJS.ErrnoException> {
  for (let cause = error as Error | undefined; cause; cause = cause.cause as Error | undefined) yield cause;
}

async function describeEndpoint(client: S3Client): Promise<string> {
  try {
    const endpoint = await client.config.endpoint?.();
    return endpoint ? ` at ${endpoint.hostname}${endpoint.port ? `:${endpoint.port}` : ''}` : '';
  } catch {
    return '';
  }
}
