import type { FastifyInstance } from 'fastify';
import { KNOWN_RELEASE, releaseCalls } from '@site/contract/registry-calls/release.calls';
import { releaseNumber } from '@site/contract';
import { withCanaries } from './canary.ts';
import { findCanary } from './channel.repository.ts';
import { findRelease, type StoredRelease } from './release.repository.ts';
import { digest } from '../kernel/canonical-json.ts';
import { toLiveSet } from '../versions/index.ts';
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

    async readReleaseDocument({ params, query: { canaries }, headers, reply }) {
      const release = await requireRelease(base, params.release);
      const changed = await withNamed(base, release, canaries?.split('.') ?? []);
      const id = headers[KNOWN_RELEASE];
      // Pages of canaries may be rendered later.
      const caching = canaries === undefined ? 'private, max-age=31536000, immutable' : 'no-store';
      void reply.headers({ 'cache-control': caching, vary: KNOWN_RELEASE });
      // The edge's release may predate a restore of this registry; if so, it gets the complete document.
      const known = id === undefined ? null : await findRelease(base.db, releaseNumber(id));
      const document = await sentDocument(base, changed, known);
      return canaries === undefined ? document : { ...document, canaries: canaries.split('.') };
    },

    async diffReleases({ params }) {
      const from = await requireRelease(base, params.release);
      const to = await requireRelease(base, params.other);
      return diffReleases(base, from.release, to.release);
    },
  });
}

/** As the visitors of these canaries see it. */
async function withNamed(
  base: RegistryContext,
  stored: StoredRelease,
  ids: string[],
): Promise<StoredRelease> {
  if (ids.length === 0) return stored;
  const { release } = stored;
  const named = await Promise.all(
    ids.map(async (id) => ({ id, canary: await findCanary(base.db, release.channel, releaseNumber(id)) })),
  );
  const canaries = named.map(({ id, canary }) => {
    if (!canary) throw releaseUnknown(id);
    return canary;
  });
  const { apps, leftOut, retired, config } = withCanaries(
    { ...toLiveSet(release), config: release.config },
    canaries,
  );
  const lastGood = canaries.flatMap((canary) =>
    Object.entries(canary.release.lastGood).filter(([app]) => app === canary.app),
  );
  return {
    ...stored,
    configDigest: digest(config),
    release: {
      ...release,
      apps: { ...apps },
      leftOut: { ...leftOut },
      retired: { ...retired },
      config,
      lastGood: { ...release.lastGood, ...Object.fromEntries(lastGood) },
    },
  };
}

async function requireRelease({ db }: RegistryContext, id: string): Promise<StoredRelease> {
  const stored = await findRelease(db, releaseNumber(id));
  if (!stored) throw releaseUnknown(id);
  return stored;
}
