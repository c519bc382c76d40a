import { createHash, createHmac } from 'node:crypto';

/** What a request is signed with. */
export interface SigningKey {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

/** A request without query and body. Every header of it is signed. */
export interface UnsignedRequest {
  method: string;
  /** As it is sent: in its bytes nothing needs to be escaped any more. */
  path: string;
  /** Names in lower case; `host`, and `x-amz-date` as from `amzDate`, are among them. */
  headers: Readonly<Record<string, string>>;
}

/** The SHA-256 of no body, in hex. */
export const EMPTY_SHA256 = hashOf('');

/** `20261122T120226Z` */
export function amzDate(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d+/g, '');
}

/**
 * The `authorization` of a request to S3.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function authorizationOf({ method, path, headers }: UnsignedRequest, key: SigningKey): string {
  const time = headers['x-amz-date'] ?? '';
  const day = time.slice(0, 8);
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const signed = names.join(';');
  const request = `${method}\n${path}\n\n${lines}\n${signed}\n${headers['x-amz-content-sha256']}`;
  const scope = `${day}/${key.region}/s3/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hashOf(request)}`;
  const signature = createHmac('sha256', secretOf(day, key)).update(text).digest('hex');
  return `AWS4-HMAC-SHA256 Credential=${key.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
}

/** It is the same for a day. */
let derived: { from: string; secret: Buffer } | null = null;

function secretOf(day: string, { region, secretAccessKey }: SigningKey): Buffer {
  const from = `${day} ${region} ${secretAccessKey}`;
  if (derived?.from !== from) {
    const secret = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
      (before, part) => createHmac('sha256', before).update(part).digest(),
      `AWS4${secretAccessKey}`,
    ) as Buffer;
    derived = { from, secret };
  }
  return derived.secret;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
