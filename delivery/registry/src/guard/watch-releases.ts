import type { ChannelName } from '@site/contract';
import { startComparison } from '@site/guard/comparison';
import { JUDGED_WITHIN_MS } from '@site/guard/policy';
import type { Against } from '@site/guard/questions';
import { evaluate } from '@site/guard/verdict';
import { findChannel, type ChannelSnapshot, newlyLive, canaryVersion } from '../channels/index.ts';
import {
  endJudgement,
  listJudgements,
  startJudgement,
  type Judgement,
  readSignals,
  inTurn,
  recordLimits,
  recordedAnswers,
  seenEngines,
  STATE_FORMAT,
  type Judged,
  type JudgementState,
  type PlacedSums,
  type SignalSums,
} from '../signals/index.ts';
import { listPolicies, effectivePolicy } from './guard-policy.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { findManifests, type VersionPair, type AppSet } from '../versions/index.ts';
import { DAY_MS } from '@site/server/durations';
import type { RegistryContext } from '../kernel/context.ts';

const RECORD_MS = 7 * DAY_MS;

const VIEWS_OF_A_RECORD = 1_000;

/** Minimum views of a page; below this, the interval allows nearly any fault rate. */
const VIEWS_OF_A_PAGE = 20;

interface Watched extends Omit<Judged, 'control'> {
  controls: readonly string[];
  subject: number;
  against: Against;
  since: Date;
  beside: AppSet;
  others: AppSet | null;
  together: number;
}

/** A bad release stays watched: its alert must last as long as it has visitors. */
export async function watchReleases(
  { db, now }: Pick<RegistryContext, 'db' | 'now'>,
  channel: ChannelName,
): Promise<void> {
  const at = now();
  const snapshot = await findChannel(db, channel);
  const wanted = await toWatch(db, channel, snapshot, at);
  const open = await listJudgements(db, channel);
  for (const judgement of open)
    if (
      !wanted.some((version) => isSameVersion(version, judgement)) &&
      !(await isStillBad(db, channel, snapshot, judgement))
    )
      await endJudgement(db, channel, judgement, at);
  const begun = wanted.filter((version) => !open.some((other) => isUnderWay(other, version)));
  if (begun.length > 0) await begin(db, channel, begun, at);
}

/**
 * Until the version is gone, or ops disable the guard for it. An outage of a shared service has a weaker verdict, which
 * ends after an hour.
 */
async function isStillBad(
  db: RegistryDb,
  channel: ChannelName,
  { live }: ChannelSnapshot,
  { app, version, verdict, isCanary }: Judgement,
): Promise<boolean> {
  if (isCanary || verdict.is !== 'bad' || verdict.sharedService) return false;
  return (
    live?.release.apps[app] === version && effectivePolicy(await listPolicies(db, channel), app) !== 'off'
  );
}

type Compared = Pick<Judgement, 'subject' | 'app'>;
const isSameVersion = (one: Compared, other: Compared) =>
  one.subject === other.subject && one.app === other.app;
/** Rolling back the control changes the baseline. */
const isUnderWay = (open: Judgement, wanted: Watched) =>
  isSameVersion(open, wanted) &&
  (open.control === null ? wanted.controls.length === 0 : wanted.controls.includes(open.control)) &&
  open.format === STATE_FORMAT;

async function toWatch(
  db: RegistryDb,
  channel: ChannelName,
  snapshot: ChannelSnapshot,
  at: Date,
): Promise<Watched[]> {
  const newest = await newlyLive(db, channel, new Date(at.getTime() - JUDGED_WITHIN_MS));
  return [
    ...canaryVersions(snapshot),
    ...newest.map(({ app, version, subject, lastGood, before, since }): Watched => ({
      app,
      version,
      subject,
      controls: [...new Set([lastGood, before])].filter((control) => control !== null),
      against: 'record',
      since,
      beside: snapshot.live?.release.apps ?? {},
      others: null,
      together: newest.filter((other) => other.subject === subject).length,
    })),
  ];
}

function canaryVersions({ live, canaries }: ChannelSnapshot): Watched[] {
  if (!live) return [];
  const { apps } = live.release;
  return canaries.flatMap((canary): Watched[] => {
    const { app, number, release } = canary;
    const version = canaryVersion(canary);
    if (version === undefined) return [];
    const control = apps[app];
    return [
      {
        app,
        version,
        controls: control === undefined ? [] : [control],
        subject: number,
        against: 'live',
        since: new Date(release.at),
        beside: { ...apps, [app]: version },
        others: apps,
        together: 1,
      },
    ];
  });
}

async function begin(
  db: RegistryDb,
  channel: ChannelName,
  versions: readonly Watched[],
  at: Date,
): Promise<void> {
  await inTurn(db, channel, async (transaction) => {
    // Another registry may have started it in the meantime.
    const open = await listJudgements(transaction, channel);
    for (const watched of versions.filter((version) => !open.some((other) => isUnderWay(other, version)))) {
      const { control, ...state } = await firstState(transaction, channel, watched, at);
      const verdict = evaluate(state.comparison);
      await startJudgement(transaction, channel, { ...watched, control, state, verdict, since: at });
    }
  });
}

async function firstState(
  db: RegistryDb,
  channel: ChannelName,
  watched: Watched,
  at: Date,
): Promise<JudgementState & Pick<Judged, 'control'>> {
  const { app, version, controls, against, beside, together, since } = watched;
  const routes = await findRoutes(db, app === 'shell' ? Object.entries(beside) : [[app, version]]);
  const from = new Date(since.getTime() - RECORD_MS);
  const wanted = { app, versions: controls, role: 'live', from, to: since } as const;
  const kept = await readSignals(db, channel, wanted, since);
  const control = bestControl(
    controls.map((of) => {
      const own = kept.filter((place) => place.version === of && routes.includes(place.route));
      return { version: of, record: new Map(own.map(({ route, sums }) => [route, sums])) };
    }),
  );
  const record = control?.record ?? new Map<string, SignalSums>();
  const timed =
    app === 'shell' && watched.others ? await timesOfPages(db, channel, watched.others, since) : record;
  const limits = recordLimits(timed, against);
  const isSeen = (route: string) => (record.get(route)?.first.views ?? 0) >= VIEWS_OF_A_PAGE;
  const unseen = against === 'record' && control ? routes.filter((route) => !isSeen(route)) : [];
  return {
    control: control?.version ?? null,
    format: STATE_FORMAT,
    limits,
    comparison: startComparison({
      against,
      routes,
      newRoutes: [...(await newRoutesIn(db, routes, watched)), ...unseen],
      apps: together,
      ...(kept.length > 0 && { usual: { rates: usualRates(kept, from, since), fromMs: at.getTime() } }),
      ...(against === 'record' && {
        record: recordedAnswers(record, limits),
        ...(control && { seen: seenEngines(record, VIEWS_OF_A_PAGE) }),
      }),
    }),
  };
}

function usualRates(kept: readonly PlacedSums[], from: Date, to: Date): Record<string, number> {
  const rates: Record<string, number> = {};
  for (const { route, sums } of kept)
    rates[route] = (rates[route] ?? 0) + (sums.first.views * 1_000) / (to.getTime() - from.getTime());
  return rates;
}

/**
 * Baseline timings of each page, reported by its own app. Shell timings are reported only while a canary changes the
 * shell (`isShellTested`), so it has no baseline.
 */
async function timesOfPages(
  db: RegistryDb,
  channel: ChannelName,
  others: AppSet,
  since: Date,
): Promise<Map<string, SignalSums>> {
  const versions = [...new Set(Object.values(others))];
  const from = new Date(since.getTime() - RECORD_MS);
  const kept = await readSignals(db, channel, { versions, role: 'live', from, to: since }, since);
  const own = kept.filter(({ app, version }) => app !== 'shell' && others[app] === version);
  return new Map(own.map(({ route, sums }) => [route, sums]));
}

interface Control {
  version: string;
  record: ReadonlyMap<string, SignalSums>;
}

function bestControl(controls: readonly Control[]): Control | undefined {
  const totalViews = ({ record }: Control) =>
    [...record.values()].reduce((sum, { first }) => sum + first.views, 0);
  return (
    controls.find((control) => totalViews(control) >= VIEWS_OF_A_RECORD) ??
    [...controls].sort((one, other) => totalViews(other) - totalViews(one))[0]
  );
}

async function newRoutesIn(
  db: RegistryDb,
  routes: readonly string[],
  { app, controls, others }: Watched,
): Promise<string[]> {
  if (others === null && (controls.length === 0 || app === 'shell')) return [];
  const before = controls.map((control) => findRoutes(db, [[app, control]]));
  const known = await (app === 'shell' ? findRoutes(db, Object.entries(others ?? {})) : Promise.all(before));
  return routes.filter((route) => !known.flat().includes(route));
}

async function findRoutes(db: RegistryDb, versions: readonly VersionPair[]): Promise<string[]> {
  const manifests = await findManifests(db, versions);
  return [...manifests.values()].flatMap((manifest) =>
    manifest.kind === 'remote' ? manifest.pages.map(({ path }) => path) : [],
  );
}
