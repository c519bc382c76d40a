import type { FastifyInstance } from 'fastify';
import { KNOWN_RELEASE, releaseCalls } from '@site/contract/registry-calls/release.calls';
import { releaseNumber } from '@site/contract';
import { findRelease, type StoredRelease } from './release.repository.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { diffReleases } from './diff-releases.ts';
import { sentDocument } from './release-document.ts';
import { mountCalls } from '../kernel/mount-calls.ts';
import { releaseUnknown } from '../kernel/read-request.ts';

export function releaseRoutes(api: FastifyInstance, base: RegistryContext): void {
  mountCalls(api, base, releaseCalls, {
    async readRelease({ params }) {
      return (await requireRelease(base, params.release)).release;
    },

    async readReleaseDocument({ params, headers, reply }) {
      const release = await requireRelease(base, params.release);
      const id = headers[KNOWN_RELEASE];
      void reply.headers({ 'cache-control': 'private, max-age=31536000, immutable', vary: KNOWN_RELEASE });
      // The edge's release may predate a restore of this registry; if so, it gets the complete document.
      return sentDocument(
        base,
        release,
        id === undefined ? null : await findRelease(base.db, releaseNumber(id)),
      );
    },

    async diffReleases({ params }) {
      const from = await requireRelease(base, params.release);
      const to = await requireRelease(base, params.other);
      return diffReleases(base, from.release, to.release);
    },
  });
}

async function requireRelease({ db }: RegistryContext, id: string): Promise<StoredRelease> {
  const stored = await findRelease(db, releaseNumber(id));
  if (!stored) throw releaseUnknown(id);
  return stored;
}
