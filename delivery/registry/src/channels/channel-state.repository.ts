import { sql } from 'kysely';
import { MAX_REVOKED, type CanaryShare, type ChannelName, type ChannelState } from '@site/contract';
import { releaseDigest } from '../kernel/release-digest.ts';
import { releaseId } from './release.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';

export interface SentState {
  state: ChannelState;
  revision: number;
}

/**
 * Holds only the newest revoked releases; any older release counts as revoked (`mustLeave`). A single query, so
 * pointers and revocations are consistent. The revision is the audit log's end, which every change of a channel moves.
 */
export async function channelState(db: RegistryDb, channel: ChannelName): Promise<SentState> {
  const row = await db
    .selectFrom('channels')
    .innerJoin('audit_head', (join) => join.onTrue())
    .select(['live', 'sequence', 'hash', 'epoch', 'unconfirmed'])
    .select(releaseDigest(sql`channels.live`).as('liveDigest'))
    .select(
      sql<{ release: number; app: CanaryShare['app']; share: number; digest: string }[]>`(
        select coalesce(jsonb_agg(jsonb_build_object(
            'release', canaries.release, 'app', app, 'share', basis_points / 100.0,
            'digest', ${releaseDigest(sql`canaries.release`)}
          ) order by canaries.release), '[]')
        from registry.canaries where canaries.channel = channels.name and ended_at is null
      )`.as('canaries'),
    )
    .select(
      sql<number[]>`(
        select coalesce(jsonb_agg(newest.release order by newest.release), '[]')
        from (
          select release from registry.revocations where channel = ${channel}
          order by release desc limit ${MAX_REVOKED}
        ) as newest
      )`.as('revoked'),
    )
    .where('name', '=', channel)
    .executeTakeFirstOrThrow();
  const { sequence, hash, epoch, unconfirmed } = row;
  return {
    revision: sequence,
    state: {
      log: { epoch, sequence, hash },
      ...(unconfirmed?.kind === 'lost' ? { held: unconfirmed.says } : {}),
      digests: {
        ...(row.live === null || row.liveDigest === null ? {} : { [releaseId(row.live)]: row.liveDigest }),
        ...Object.fromEntries(row.canaries.map(({ release, digest }) => [releaseId(release), digest])),
      },
      channel,
      live: row.live === null ? null : releaseId(row.live),
      canaries: row.canaries.map(({ release, app, share }) => ({ release: releaseId(release), app, share })),
      revoked: row.revoked.map(releaseId),
    },
  };
}
