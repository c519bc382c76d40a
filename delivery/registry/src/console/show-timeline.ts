import type { ChannelName } from '@site/contract';
import { pickAuthorFields } from '@site/contract/author-fields';
import { GUARD_NAME } from '@site/contract/registry-calls/upkeep.calls';
import type { TimelineEntry } from '@site/contract/registry-calls/view.calls';
import { type Around, readAround, startOfHour, summarizeHealth } from '../signals/index.ts';
import { releaseId } from '../channels/index.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { listTimeline, type TimelineRow } from './view.repository.ts';
import { HOUR_MS } from '@site/server/durations';
import { cutPage } from '../kernel/lists.ts';

const APPS_OF_A_RELEASE = 3;

export async function showTimeline(
  db: RegistryDb,
  channel: ChannelName,
  { limit, before, app }: { limit: number; before: number; app: string | undefined },
): Promise<{ next: string | null; releases: TimelineEntry[] }> {
  const rows = await listTimeline(db, channel, { limit: limit + 1, before, app });
  const { page, last } = cutPage(rows, limit);
  const wanted = page.flatMap(comparedPeriods);
  const sums = (await readAround(db, channel, wanted)).values();
  return {
    next: last === null ? null : releaseId(last.number),
    releases: page.map((row) => ({
      id: releaseId(row.number),
      kind: row.kind,
      at: row.at.toISOString(),
      by: row.by,
      guard: row.by === GUARD_NAME,
      ...pickAuthorFields(row),
      parent: row.parent === null ? null : releaseId(row.parent),
      canary: row.as_canary,
      revoked: row.isRevoked,
      configuration: row.configuration,
      changes: row.changes,
      retirements: row.retirements,
      around: shownChanges(row).map(({ app: changed }) => ({
        app: changed,
        before: summarizeHealth(sums.next().value ?? []),
        after: summarizeHealth(sums.next().value ?? []),
      })),
    })),
  };
}

function shownChanges({ changes }: TimelineRow) {
  return changes.slice(0, APPS_OF_A_RELEASE);
}

/**
 * The previous version until the hour of the change, and the new one from that hour on. A promoted canary had only the
 * canary's visitors before.
 */
function comparedPeriods(row: TimelineRow): Around[] {
  const hour = startOfHour(row.at).getTime();
  const [from, end, to] = [hour - HOUR_MS, hour + HOUR_MS, hour + 2 * HOUR_MS].map(
    (time) => new Date(time),
  ) as [Date, Date, Date];
  const after = row.as_canary ? 'canary' : 'live';
  return shownChanges(row).flatMap((change) => [
    // No version has an empty name.
    { app: change.app, version: change.from ?? '', role: 'live' as const, from, to: end },
    { app: change.app, version: change.to ?? '', role: after, from: new Date(hour), to },
  ]);
}
