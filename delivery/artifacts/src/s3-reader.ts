import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { S3Client } from '@aws-sdk/client-s3';

/** An object, as its headers describe it. */
export interface S3Object {
  bytes: number;
  /** The bytes that it was put with; undefined where the writer did not say. */
  size: number | undefined;
  storedAt: Date;
  /** Empty when only the headers were asked for. */
  body: Buffer;
}

/**
 * Reads objects with as little work as it takes: the SDK's own layers take most of a millisecond of a processor for each
 * request, and an activation reads hundreds of objects. Only the SDK's signer is asked.
 */
export interface S3Reader {
  /**
   * Null when there is no such object; `unsure` when anything else came than an object or its absence. Then the SDK has to be
   * asked: it knows what may be tried again, and what an error means.
   */
  read(method: 'GET' | 'HEAD', key: string, signal: AbortSignal): Promise<S3Object | null | 'unsure'>;
}

/** How the SDK addressed an object, and signed for it. */
interface Address {
  protocol: string;
  hostname: string;
  port: number | undefined;
  /** Before the key. */
  path: string;
  region: string;
}

const MOST_SOCKETS = 64;

/**
 * @param client has to be asked first: where a bucket is, and how requests are signed there, is learnt from what the client
 * sends. Nothing is read from a bucket that it was not asked for, or that it signs for in another way.
 */
export function createS3Reader(client: S3Client, bucket: string): S3Reader {
  let address: Address | null = null;
  let signer: Awaited<ReturnType<typeof client.config.signer>> | undefined;
  const options = { keepAlive: true, maxSockets: MOST_SOCKETS };
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
  // Whether the bucket is missing, too, is in the body.
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

/** Null when the request is not for this key as it stands, or not signed by the signature of version 4 that `read` asks for. */
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
