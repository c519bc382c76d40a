import { sql } from 'kysely';
import { MAX_REVOKED, type ChannelName, type ChannelState } from '@site/contract';
import { canaryShare } from '../signals/canary-share.ts';
import { releaseId } from './release.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';

export interface SentState {
  state: ChannelState;
  /** The larger number is the newer state. */
  revision: number;
}

/**
 * Holds only the newest revoked releases; any older release counts as revoked (`mustLeave`). A single query, so
 * pointers and revocations are consistent. The revision is the audit log's end, which every change of a channel moves.
 */
export async function channelState(db: RegistryDb, channel: ChannelName): Promise<SentState> {
  const row = await db
    .selectFrom('channels')
    .select(['live', 'canary', 'canary_basis_points'])
    .select(
      sql<number[]>`(
        select coalesce(jsonb_agg(newest.release order by newest.release), '[]')
        from (
          select release from registry.revocations where channel = ${channel}
          order by release desc limit ${MAX_REVOKED}
        ) as newest
      )`.as('revoked'),
    )
    .select(sql<number>`(select sequence from registry.audit_head)`.as('revision'))
    .where('name', '=', channel)
    .executeTakeFirstOrThrow();
  return {
    revision: row.revision,
    state: {
      channel,
      live: row.live === null ? null : releaseId(row.live),
      canary:
        row.canary === null || row.canary_basis_points === null
          ? null
          : canaryShare(releaseId(row.canary), row.canary_basis_points),
      revoked: row.revoked.map(releaseId),
    },
  };
}
