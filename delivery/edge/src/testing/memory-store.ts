import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ArtifactStore } from '@site/artifacts/artifact-store';
import { computeIntegrity } from '@site/contract/integrity';

export interface MemoryStore extends ArtifactStore {
  add(text: string): string;
  corrupt(integrity: string): void;
  corruptEncodings(integrity: string): void;
  goAway(): void;
  reads: Map<string, number>;
}

export function createMemoryStore(): MemoryStore {
  const blobs = new Map<string, Buffer>();
  const badEncodings = new Set<string>();
  const reads = new Map<string, number>();
  let isUnreachable = false;

  function read(integrity: string): Promise<Buffer | null> {
    if (isUnreachable) return Promise.reject(new Error('The store is away.'));
    return Promise.resolve(blobs.get(integrity) ?? null);
  }

  return {
    reads,
    add(text) {
      const bytes = Buffer.from(text);
      const integrity = computeIntegrity(bytes);
      blobs.set(integrity, bytes);
      return integrity;
    },
    corrupt: (integrity) => void blobs.set(integrity, Buffer.from('something else')),
    corruptEncodings: (integrity) => void badEncodings.add(integrity),
    goAway: () => void (isUnreachable = true),
    has: (integrity) => Promise.resolve(blobs.has(integrity)),
    put: (integrity, bytes) => Promise.resolve(void blobs.set(integrity, bytes)),
    compress: () => Promise.resolve(),
    blobSize: (integrity) => Promise.resolve(blobs.get(integrity)?.length ?? null),
    get(integrity) {
      reads.set(integrity, (reads.get(integrity) ?? 0) + 1);
      return read(integrity);
    },
    async getEncoded(integrity, encoding) {
      const bytes = await read(integrity);
      if (badEncodings.has(integrity)) return Buffer.from('something else');
      // Skips large blobs: compressing them would take seconds.
      if (!bytes || bytes.length < 100 || bytes.length > 1_000_000) return null;
      return encoding === 'br' ? brotliCompressSync(bytes) : gzipSync(bytes);
    },
    async *list() {
      for (const [integrity, { length }] of await Promise.resolve(blobs)) {
        yield { integrity, storedAt: new Date(), bytes: length };
      }
    },
    delete: (integrity) => Promise.resolve(void blobs.delete(integrity)),
  };
}
