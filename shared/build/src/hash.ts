import { createHash } from 'node:crypto';

export function shortHash(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}

/** The content hash in a file name of a bundler, such as `home.1a2b3c4d5e6f.js`; null without one. */
export function hashInName(path: string): string | null {
  return /(?:^|[./-])([0-9a-f]{8,64})\.[a-z0-9]+$/.exec(path)?.[1] ?? null;
}
