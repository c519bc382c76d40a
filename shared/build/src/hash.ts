import { createHash } from 'node:crypto';

/** The first 12 hex digits of the SHA-256 of a text or bytes: enough to tell builds apart in names. */
export function shortHash(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}

/** The hash of its contents that a bundler wrote into the name of a file, such as `home.1a2b3c4d5e6f.js`; null when there is none. */
export function hashInName(path: string): string | null {
  return /(?:^|[./-])([0-9a-f]{8,64})\.[a-z0-9]+$/.exec(path)?.[1] ?? null;
}
