import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { S3Client } from '@aws-sdk/client-s3';
import { proxyEnv } from '@site/contract/env-proxy';

export interface S3Object {
  bytes: number;
  size: number | undefined;
  storedAt: Date;
  body: Buffer;
}

/**
 * Uses only the SDK's signer: its middleware takes most of a millisecond per request, and an activation reads
 * hundreds of objects.
 */
export interface S3Reader {
  /**
   * Null for a missing object; `unsure` for any other response: use the SDK, which knows what to retry and what an
   * error means.
   */
  read(method: 'GET' | 'HEAD', key: string, signal: AbortSignal): Promise<S3Object | null | 'unsure'>;
}

interface Address {
  protocol: string;
  hostname: string;
  port: number | undefined;
  path: string;
  region: string;
}

const MOST_SOCKETS = 64;

/** @param client must have sent a request first: the bucket's location and signing parameters are taken from it. */
export function createS3Reader(client: S3Client, bucket: string): S3Reader {
  let address: Address | null = null;
  let signer: Awaited<ReturnType<typeof client.config.signer>> | undefined;
  const options = { keepAlive: true, maxSockets: MOST_SOCKETS, proxyEnv: proxyEnv(process.env) };
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };

  client.middlewareStack.add(
    (next) => async (args) => {
      const { Bucket, Key } = args.input as { Bucket?: string; Key?: string };
      if (Bucket === bucket && Key !== undefined) address = addressIn(args.request, Key);
      return next(args);
    },
    // After the signature.
    { step: 'finalizeRequest', priority: 'low' },
  );

  return {
    async read(method, key, signal) {
      const known = address;
      if (!known) return 'unsure';
      const { protocol, hostname, port, region } = known;
      const path = known.path + key;
      signer ??= await client.config.signer();
      const host = port === undefined ? hostname : `${hostname}:${port}`;
      const { headers } = await signer.sign(
        { method, protocol, hostname, path, headers: { host } },
        {
          signingDate: new Date(Date.now() + client.config.systemClockOffset),
          signingRegion: region,
          signingService: 's3',
        },
      );
      const isPlain = protocol === 'http:';
      const send = isPlain ? httpRequest : httpsRequest;
      return new Promise((resolve) => {
        const unsure = () => resolve('unsure');
        const agent = agents[isPlain ? 'http:' : 'https:'];
        send({ protocol, hostname, port, path, method, headers, agent, signal })
          .on('response', (answer) => void receive(answer).then(resolve, unsure))
          .on('error', unsure)
          .end();
      });
    },
  };
}

async function receive(answer: IncomingMessage): Promise<S3Object | null | 'unsure'> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  // Only the body shows whether the bucket is missing.
  if (answer.statusCode === 404) return body.includes('NoSuchBucket') ? 'unsure' : null;
  const { headers } = answer;
  const bytes = Number(headers['content-length'] ?? Number.NaN);
  if (answer.statusCode !== 200 || !(bytes >= 0) || headers['content-encoding'] !== undefined)
    return 'unsure';
  const size = headers['x-amz-meta-size'];
  return {
    bytes,
    size: size === undefined ? undefined : Number(size),
    storedAt: new Date(headers['last-modified'] ?? 0),
    body,
  };
}

/** Null if the request is for another key or has no version 4 signature. */
function addressIn(request: unknown, key: string): Address | null {
  const { protocol, hostname, port, path, headers } = request as {
    protocol: string;
    hostname: string;
    port?: number;
    path: string;
    headers: Record<string, string>;
  };
  const scope = /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d+\/([^/]+)\/s3\/aws4_request,/;
  const region = scope.exec(headers['authorization'] ?? '')?.[1];
  if (region === undefined || !path.endsWith(`/${key}`)) return null;
  return { protocol, hostname, port, path: path.slice(0, -key.length), region };
}
