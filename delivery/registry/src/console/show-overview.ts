import type { ChannelName, Freeze } from '@site/contract';
import type { AppLine, Health, Need, Overview } from '@site/contract/registry-calls/view.calls';
import type { Standing } from '@site/contract/registry-calls/guard.calls';
import { atOneMoment } from '../kernel/in-transaction.ts';
import { readSeries, type TimedSums, PULSE_MS, faultShare, summarizeHealth } from '../signals/index.ts';
import { releaseId, quarantined, edgeAnswer } from '../channels/index.ts';
import { type NewestVersion, versionName } from '../versions/index.ts';
import type { LiveSince } from './view.repository.ts';
import { isBehind } from '../edges/index.ts';
import { effectivePolicy } from '../guard/index.ts';
import type { Actor } from '../kernel/actor.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { attentionItems } from './attention-items.ts';
import { readAll, type Seen } from './read-overview.ts';
import { sees, visibleApps } from '../kernel/visible-apps.ts';

const POINTS = 12;

/** Its cost grows with the number of apps, not with the history. */
export async function showOverview(
  { db, now }: Pick<RegistryContext, 'db' | 'now'>,
  channel: ChannelName,
  app?: string,
): Promise<Overview> {
  const at = now();
  const isMeant = (name: string | null) => app === undefined || name === app;
  const seen = await atOneMoment(db, (moment) => readAll(moment, channel, at, isMeant));
  const from = new Date(Math.floor(at.getTime() / PULSE_MS) * PULSE_MS - (POINTS - 1) * PULSE_MS);
  const series = byApp((await readSeries(db, channel, { app, from }, at)).rows);
  const { snapshot, canaries, edges } = seen;
  const { live } = snapshot;
  const times = Array.from({ length: POINTS }, (_, index) => new Date(from.getTime() + index * PULSE_MS));
  const appLine = createLines(seen, series, times);
  return {
    channel,
    at: at.toISOString(),
    revision: seen.revision,
    release: live && {
      id: live.release.id,
      at: live.release.at,
      by: live.release.by,
      reason: live.release.reason,
    },
    canaries,
    needs: attentionItems(seen, at).filter((need) => isMeant(need.app)),
    recent: seen.recent.map(({ release, at: when, ...action }) => ({
      ...action,
      release: releaseId(release),
      at: when.toISOString(),
    })),
    apps: seen.apps.map(appLine),
    edges: edges.map((edge) => ({ ...edgeAnswer(edge, at), behind: isBehind(edge, snapshot) })),
  };
}

/** The part of an overview that a token may see: health and verdicts of its apps only, and no ops problems. */
export function visibleOverview(actor: Pick<Actor, 'scopes'>, overview: Overview): Overview {
  if (visibleApps(actor) === null) return overview;
  const { apps, canaries, needs, recent = [] } = overview;
  return {
    ...overview,
    apps: apps.filter(({ app }) => sees(actor, app)),
    canaries: canaries.map((canary) => ({
      ...canary,
      stages: sees(actor, canary.app) ? canary.stages : null,
    })),
    recent: recent.filter(({ app }) => sees(actor, app)),
    needs: needs.filter(
      ({ kind, app }) => kind !== 'trouble' && (app === null || isPublicNeed(kind) || sees(actor, app)),
    ),
  };
}

function isPublicNeed(kind: Need['kind']): boolean {
  return kind === 'frozen' || kind === 'canary';
}

function byApp(rows: readonly TimedSums[]): ReadonlyMap<string, TimedSums[]> {
  const apps = new Map<string, TimedSums[]>();
  for (const row of rows) {
    const known = apps.get(row.app);
    if (known) known.push(row);
    else apps.set(row.app, [row]);
  }
  return apps;
}

function createLines(
  { snapshot: { live }, canaries, since, quarantines, standings, freezes, policies }: Seen,
  series: ReadonlyMap<string, TimedSums[]>,
  times: readonly Date[],
): (app: NewestVersion) => AppLine {
  const standing = (app: string, version: string | undefined): Standing | null =>
    version === undefined ? null : (standings.get(versionName(app, version)) ?? null);
  return ({ app }) => {
    const rows = series.get(app) ?? [];
    const version = live?.release.apps[app];
    const canary = canaries.find((running) => running.app === app);
    const shown = canary?.version ?? undefined;
    return {
      app,
      live: version === undefined ? null : describeLive(version, since.get(app)),
      leftOut: live?.release.leftOut?.[app] ?? null,
      retired: live?.release.retired?.[app] ?? null,
      quarantined: quarantined(quarantines.get(app)),
      standing: standing(app, version),
      health: healthWhere(rows, (row) => row.role === 'live' && row.version === version),
      hour: hourPoints(rows, times),
      canary:
        shown !== undefined
          ? {
              version: shown,
              standing: standing(app, shown),
              health: healthWhere(rows, (row) => row.role === 'canary' && row.version === shown),
            }
          : null,
      frozen: findFreeze(freezes, app),
      guard: effectivePolicy(policies, app),
    };
  };
}

function describeLive(version: string, since: LiveSince | undefined): AppLine['live'] {
  return (
    (since && {
      version,
      release: releaseId(since.number),
      kind: since.kind,
      at: since.at.toISOString(),
      by: since.by,
      reason: since.reason,
    }) ??
    null
  );
}

function healthWhere(rows: readonly TimedSums[], isMeant: (row: TimedSums) => boolean): Health {
  return summarizeHealth(rows.filter(isMeant).map(({ sums }) => sums));
}

function hourPoints(rows: readonly TimedSums[], times: readonly Date[]): AppLine['hour'] {
  return times.map((time) =>
    faultShare(rows.flatMap(({ at, sums }) => (at.getTime() === time.getTime() ? [sums] : []))),
  );
}

function findFreeze(freezes: readonly Freeze[], app: string): Freeze | null {
  return freezes.find((freeze) => freeze.app === app || freeze.app === null) ?? null;
}
