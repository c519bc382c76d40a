import type { ChannelName, Freeze } from '@site/contract';
import type { AppLine, Health, Need, Overview } from '@site/contract/registry-calls/view.calls';
import type { Standing } from '@site/contract/registry-calls/guard.calls';
import { timeText } from '@site/contract/time-text';
import { listTroubles } from '../database/alert.repository.ts';
import { findChannel, type ChannelSnapshot } from '../database/channel.repository.ts';
import { listEdges, type EdgeReport } from '../database/edge.repository.ts';
import { listFreezes } from '../database/freeze.repository.ts';
import { listPolicies } from '../database/guard-policy.repository.ts';
import { atOneMoment } from '../database/in-transaction.ts';
import { channelState } from '../database/channel-state.repository.ts';
import { findRelease, releaseId } from '../database/release.repository.ts';
import { PULSE_MS, readSeries, type TimedSums } from '../database/signal.repository.ts';
import type { RegistryDb } from '../database/tables.ts';
import { findQuarantines } from '../database/quarantine.repository.ts';
import { listApps, versionName, type NewestVersion } from '../database/version.repository.ts';
import { listOpenActions, liveSince, type LiveSince } from '../database/view.repository.ts';
import { appChanges } from '../domain/app-set.ts';
import { faultShareOf, healthOf } from '../domain/health.ts';
import { policyOf } from '../domain/policy-of.ts';
import { quarantined } from '../domain/quarantined.ts';
import type { Actor, RegistryContext } from './context.ts';
import { isAlive } from './forget-edge.ts';
import { showStages } from './show-health.ts';
import { readStandings } from './standings.ts';
import { sees, visibleApps } from './visible-apps.ts';

/** The last hour, in pulses. */
const POINTS = 12;
/** An edge takes its time to load a release. */
const BEHIND_AFTER_MS = 10_000;
const LARGEST_SHOWN = 500;

/**
 * All that is shown of a channel at a glance. Its cost grows with the apps, not with the history.
 *
 * @param app of the apps this one alone.
 */
export async function showOverview(
  { db, now }: Pick<RegistryContext, 'db' | 'now'>,
  channel: ChannelName,
  app?: string,
): Promise<Overview> {
  const at = now();
  const isMeant = (name: string | null) => app === undefined || name === app;
  const seen = await atOneMoment(db, (moment) => readAll(moment, channel, isMeant));
  const from = new Date(Math.floor(at.getTime() / PULSE_MS) * PULSE_MS - (POINTS - 1) * PULSE_MS);
  const series = byApp((await readSeries(db, channel, { app, from }, at)).rows);
  const { snapshot, canary, edges } = seen;
  const { live } = snapshot;
  const times = Array.from({ length: POINTS }, (_, index) => new Date(from.getTime() + index * PULSE_MS));
  const lineOf = createLines(seen, series, times);
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
    canary,
    needs: needsOf(seen, at).filter((need) => isMeant(need.app)),
    apps: seen.apps.map(lineOf),
    edges: edges.map((edge) => ({
      id: edge.id,
      release: edge.release === null ? null : releaseId(edge.release),
      canary: edge.canary && {
        release: releaseId(edge.canary.release),
        share: edge.canary.basisPoints / 100,
      },
      seenAt: edge.seenAt.toISOString(),
      alive: isAlive(edge, at),
      behind: isBehind(edge, snapshot),
    })),
  };
}

/** As much of an overview as a token is told: the health and verdicts of its own apps, and none of the troubles of ops. */
export function visibleOverview(actor: Pick<Actor, 'scopes'>, overview: Overview): Overview {
  if (visibleApps(actor) === null) return overview;
  const { apps, canary, needs } = overview;
  const isOwnCanary = canary?.apps.every(({ app }) => sees(actor, app)) ?? false;
  return {
    ...overview,
    apps: apps.filter(({ app }) => sees(actor, app)),
    canary: canary && { ...canary, stages: isOwnCanary ? canary.stages : null },
    needs: needs.filter(
      ({ kind, app }) => kind !== 'trouble' && (app === null || isPublicNeed(kind) || sees(actor, app)),
    ),
  };
}

/** What everyone who releases must know of other apps. */
function isPublicNeed(kind: Need['kind']): boolean {
  return kind === 'frozen' || kind === 'canary';
}

/** What was read of one moment. */
type Seen = Awaited<ReturnType<typeof readAll>>;

async function readAll(db: RegistryDb, channel: ChannelName, isMeant: (app: string) => boolean) {
  const snapshot = await findChannel(db, channel);
  const { live, canary } = snapshot;
  const shown = [live, canary].flatMap((one) =>
    Object.entries(one?.release.apps ?? {}).filter(([app]) => isMeant(app)),
  );
  return {
    snapshot,
    revision: (await channelState(db, channel)).revision,
    canary: await describeCanary(db, snapshot),
    apps: (await listApps(db)).filter(({ app }) => isMeant(app)),
    since: new Map((await liveSince(db, channel)).map((row) => [row.app, row])),
    quarantines: new Map((await findQuarantines(db, live?.release.apps ?? {})).map((row) => [row.app, row])),
    standings: await readStandings(db, channel, shown),
    freezes: await listFreezes(db, channel),
    policies: await listPolicies(db, channel),
    actions: await listOpenActions(db, channel),
    troubles: await listTroubles(db),
    edges: await listEdges(db, channel),
  };
}

async function describeCanary(
  db: RegistryDb,
  { channel, live, canary }: ChannelSnapshot,
): Promise<Overview['canary']> {
  const begun = canary && (await findRelease(db, canary.first));
  if (!canary || !begun) return null;
  const stages = await showStages(db, channel);
  return {
    release: canary.release.id,
    share: canary.basisPoints / 100,
    since: begun.release.at,
    by: begun.release.by,
    reason: canary.release.reason,
    apps: appChanges(live?.release.apps ?? {}, canary.release.apps),
    stages: stages && {
      shares: stages.shares,
      everyMinutes: stages.everyMinutes,
      since: stages.since,
      says: stages.says,
    },
  };
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

/** Makes the line of an app. */
function createLines(
  { snapshot: { live, canary }, since, quarantines, standings, freezes, policies }: Seen,
  series: ReadonlyMap<string, TimedSums[]>,
  times: readonly Date[],
): (app: NewestVersion) => AppLine {
  const standing = (app: string, version: string | undefined): Standing | null =>
    version === undefined ? null : (standings.get(versionName(app, version)) ?? null);
  return ({ app }) => {
    const rows = series.get(app) ?? [];
    const version = live?.release.apps[app];
    const shown = canary?.release.apps[app];
    return {
      app,
      live: version === undefined ? null : describeLive(version, since.get(app)),
      leftOut: live?.release.leftOut?.[app] ?? null,
      retired: live?.release.retired?.[app] ?? null,
      quarantined: quarantined(quarantines.get(app)),
      standing: standing(app, version),
      health: healthWhere(rows, (row) => row.role === 'stable' && row.version === version),
      hour: hourOf(rows, times),
      canary:
        canary && shown !== version
          ? {
              version: shown ?? null,
              standing: standing(app, shown),
              health: healthWhere(rows, (row) => row.role === 'canary' && row.version === shown),
            }
          : null,
      frozen: freezeOf(freezes, app),
      guard: policyOf(policies, app),
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
  return healthOf(rows.filter(isMeant).map(({ sums }) => sums));
}

function hourOf(rows: readonly TimedSums[], times: readonly Date[]): AppLine['hour'] {
  return times.map((time) =>
    faultShareOf(rows.flatMap(({ at, sums }) => (at.getTime() === time.getTime() ? [sums] : []))),
  );
}

function freezeOf(freezes: readonly Freeze[], app: string): Freeze | null {
  return freezes.find((freeze) => freeze.app === app || freeze.app === null) ?? null;
}

function isBehind({ release, canary }: EdgeReport, { live, canary: shown }: ChannelSnapshot): boolean {
  return release !== (live?.number ?? null) || (canary?.release ?? null) !== (shown?.number ?? null);
}

const nobody = { app: null, version: null, edge: null };

/** What a person should look at: what is bad first, then what is under way. */
function needsOf({ snapshot, canary, actions, troubles, edges, freezes }: Seen, now: Date): Need[] {
  const { channel, live, canary: stored } = snapshot;
  const changedAt = Math.max(...[live, stored].map((one) => (one ? Date.parse(one.release.at) : 0)));
  return [
    ...actions.map(({ app, version, did, why, evidence, at }): Need => ({
      ...nobody,
      kind: did,
      app,
      version,
      since: at.toISOString(),
      says: `${evidence} (${why})`,
    })),
    ...edges.flatMap((edge): Need[] => {
      const seen = edge.seenAt.toISOString();
      const about = { ...nobody, edge: edge.id };
      if (!isAlive(edge, now)) {
        return [
          {
            ...about,
            kind: 'edge-silent',
            since: seen,
            says: `${edge.id} has been silent since ${timeText(seen)}`,
          },
        ];
      }
      if (!isBehind(edge, snapshot) || now.getTime() - changedAt < BEHIND_AFTER_MS) return [];
      const serves = edge.release === null ? 'nothing' : releaseId(edge.release);
      const since = new Date(changedAt).toISOString();
      const wanted =
        [live, stored].flatMap((one) => (one ? [one.release.id] : [])).join(' and ') || 'nothing';
      return [{ ...about, kind: 'edge-behind', since, says: `${edge.id} serves ${serves}, not ${wanted}` }];
    }),
    ...troubles
      // Edges are looked at above, as they are now.
      .filter((trouble) => trouble.kind !== 'edge' && (trouble.channel ?? channel) === channel)
      .map(({ since, says }): Need => ({ ...nobody, kind: 'trouble', since: since.toISOString(), says })),
    ...(canary
      ? [
          {
            ...nobody,
            kind: 'canary' as const,
            app: canary.apps.length === 1 ? (canary.apps[0]?.app ?? null) : null,
            version: canary.apps.length === 1 ? (canary.apps[0]?.to ?? null) : null,
            since: canary.since,
            says: `${canary.release} is shown to ${canary.share} % of the visitors, by ${canary.by}: ${canary.reason}`,
          },
        ]
      : []),
    ...freezes.map(({ app, by, at, reason }): Need => ({
      ...nobody,
      kind: 'frozen',
      app,
      since: at,
      says: `${app ?? 'everything'} was frozen by ${by}: ${reason}`,
    })),
  ].slice(0, LARGEST_SHOWN);
}
