import { LRUCache } from 'lru-cache';
import type { EncodedBody, Encoding } from './encoded-body.ts';

type Weights = Record<Encoding, number>;

/** Browsers send few different values, but one with every request. */
const known = new LRUCache<string, Weights>({ max: 100, memoMethod: readWeights });

/**
 * Chooses the response's encoding (RFC 9110, 12.5.3): brotli before gzip before identity, among those that
 * the client accepts and the body has. A client that rejects all gets identity.
 */
export function chooseEncoding(acceptEncoding: string | undefined, body: EncodedBody): Encoding {
  return choose(acceptEncoding, body.br !== null, body.gzip !== null);
}

function choose(acceptEncoding: string | undefined, hasBr: boolean, hasGzip: boolean): Encoding {
  if (!acceptEncoding) return 'identity';
  const weights = known.memo(acceptEncoding);
  const br = hasBr ? weights.br : 0;
  const gzip = hasGzip ? weights.gzip : 0;
  // `identity;q=1, br;q=0.5`: the client's preference wins.
  const best = br >= gzip ? 'br' : 'gzip';
  const weight = Math.max(br, gzip);
  return weight > 0 && weight >= weights.identity ? best : 'identity';
}

export function addEncoding(
  acceptEncoding: string | string[] | undefined,
  { br, gzip, addGzip }: EncodedBody,
): Buffer | Promise<Buffer> | null {
  if (gzip || !addGzip) return null;
  const accepted = Array.isArray(acceptEncoding) ? acceptEncoding.join(', ') : acceptEncoding;
  return choose(accepted, br !== null, true) === 'gzip' ? addGzip() : null;
}

function readWeights(acceptEncoding: string): Weights {
  const accepted = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    accepted.set(name === 'x-gzip' ? 'gzip' : name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const encodingWeight = (name: string) => accepted.get(name) ?? accepted.get('*') ?? 0;
  return { br: encodingWeight('br'), gzip: encodingWeight('gzip'), identity: accepted.get('identity') ?? 0 };
}

export function bodyEtag(body: EncodedBody, encoding: Encoding): string {
  return encoding === 'identity' ? `"${body.tag}"` : `"${body.tag}-${encoding}"`;
}

/**
 * Whether `If-None-Match` matches this ETag. Weak comparison (RFC 9110, 13.1.2), since proxies weaken ETags.
 */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
