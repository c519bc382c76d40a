import { ApiError } from '@site/server/api-error';
import type { ChannelName } from '@site/contract';
import { decide, type Decision } from '@site/guard/policy';
import { findUnconfirmed } from '../kernel/audit.repository.ts';
import { queueAlert } from '../kernel/queue-alert.ts';
import type { Alert } from '../alerts/index.ts';
import { findRelease, releaseId, rollBack } from '../channels/index.ts';
import {
  type GuardAction,
  guardWasLast,
  insertAction,
  listActions,
  noteRefusal,
  noteSuggestion,
} from './guard-action.repository.ts';
import { listPolicies, effectivePolicy } from './guard-policy.repository.ts';
import {
  type Judgement,
  listJudgements,
  dropStanding,
  listStandings,
  noteStanding,
  formatVerdict,
} from '../signals/index.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { findVersion, versionName } from '../versions/index.ts';
import { asGuard, GUARD, Superseded } from './as-guard.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { forEachSettled } from '../kernel/scheduling.ts';
import { raiseCanaries } from './raise-canary.ts';
import { watchReleases } from './watch-releases.ts';
import { MINUTE_MS } from '@site/server/durations';

/** When a rejected action is retried: by then a freeze may be lifted, or a page may render. */
const RETRY_MS = 30_000;

/** For this long after detection, a bad version is retried even if the registry that detected it died. */
const ANSWERED_WITHIN_MS = MINUTE_MS;

/**
 * Safe for concurrent and crashing registries: each action is recorded in its own transaction, at most once.
 * @param onProblem receives errors of secondary work.
 */
export async function guardReleases(
  context: RegistryContext,
  channel: ChannelName,
  onProblem: (error: unknown) => void,
): Promise<void> {
  const { db } = context;
  await watchReleases(context, channel);
  if (await findUnconfirmed(db)) return;
  const judgements = await listJudgements(db, channel);
  const good = judgements.filter(({ verdict }) => verdict.is === 'good');
  const known = await listStandings(
    db,
    channel,
    good.map(({ app, version }) => [app, version]),
  );
  const noted = new Set(known.map(({ app, version }) => versionName(app, version)));
  await forEachSettled(judgements, async (judgement) => {
    const { verdict, app, version, since: at } = judgement;
    // Recorded once; the verdict lasts as long as the version is watched.
    if (verdict.is === 'good' && !noted.has(versionName(app, version))) {
      const views = verdict.evidence[0]?.judged.views ?? 0;
      const evidence = await formatVerdict(db, channel, judgement);
      await noteStanding(db, channel, { app, version, views, evidence, at });
    }
    if (verdict.is !== 'bad') return;
    await handleBadVersion(context, channel, judgement, onProblem);
  });
  await raiseCanaries(context, channel, onProblem);
}

async function handleBadVersion(
  context: RegistryContext,
  channel: ChannelName,
  judgement: Judgement,
  onProblem: (error: unknown) => void,
): Promise<void> {
  const { db, now, metrics } = context;
  const { app, version, subject } = judgement;
  const { verdict } = judgement;
  if (verdict.is === 'bad' && !verdict.sharedService) await dropStanding(db, channel, { app, version });
  const before = await findActions(db, channel, judgement);
  if (before.some(({ did }) => did === 'acted')) return;

  const { do: what, why } = await findDecision(db, channel, judgement, now());
  if (what === 'nothing') return;
  const did = what === 'act' ? 'acted' : 'suggested';
  if (before.some((done) => done.did === did)) return;
  const evidence = await formatVerdict(db, channel, judgement);
  const action: GuardAction = { subject, app, version, did, why, evidence, at: now() };
  if (did === 'suggested') {
    if (await noteSuggestion(db, channel, action, await guardAlert(db, channel, action)))
      metrics.guardDid(did);
    return;
  }
  const refused = before.find((done) => done.did === 'refused');
  if (refused && refused.at.getTime() > now().getTime() - RETRY_MS) return;
  await act(context, channel, { judgement, action }, onProblem);
}

async function findActions(
  db: RegistryDb,
  channel: ChannelName,
  { app, subject }: Judgement,
): Promise<GuardAction[]> {
  const done = await listActions(db, channel, { app, limit: 20 });
  return done.filter((action) => action.subject === subject);
}

async function findDecision(
  db: RegistryDb,
  channel: ChannelName,
  judgement: Judgement,
  at: Date,
): Promise<Decision> {
  const { app, subject, isCanary, verdict, since } = judgement;
  const release = await findRelease(db, subject);
  if (!release) throw new Error(`The release ${subject}, of which ${app} is judged, is missing.`);
  // Retry actions that were rejected or incomplete, but not those that the policy forbade until now.
  const isDue =
    at.getTime() - since.getTime() < ANSWERED_WITHIN_MS ||
    (await findActions(db, channel, judgement)).some(({ did }) => did === 'refused');
  return decide({
    policy: effectivePolicy(await listPolicies(db, channel), app),
    phase: isCanary ? 'canary' : 'release',
    sinceMs: (isDue ? since : at).getTime() - Date.parse(release.release.at),
    verdict,
    actedLast: await guardWasLast(db, channel, app, GUARD.name),
  });
}

async function act(
  context: RegistryContext,
  channel: ChannelName,
  { judgement, action }: { judgement: Judgement; action: GuardAction },
  onProblem: (error: unknown) => void,
): Promise<void> {
  const { app, version, evidence: reason } = action;
  const { db, metrics } = context;
  try {
    const isDone = await asGuard(
      context,
      async ({ transaction, at }) => {
        // Under the channel's lock, so earlier policy changes and other changes are complete.
        const acted: GuardAction = { ...action, at };
        const { do: what } = await findDecision(transaction, channel, judgement, at);
        if (what !== 'act' || !(await insertAction(transaction, channel, acted))) throw new Superseded();
        await queueAlert(transaction, await guardAlert(transaction, channel, acted), at);
      },
      (command) => rollBack(command, channel, { app, from: version, reason }),
      onProblem,
    );
    if (isDone) metrics.guardDid('acted');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'version_not_live') return;
    const refused = { ...action, did: 'refused' as const, why: error.detail, at: context.now() };
    if (await noteRefusal(db, channel, refused, await guardAlert(db, channel, refused)))
      metrics.guardDid('refused');
  }
}

const ACTION_TEXTS = {
  acted: 'The guard rolled it back',
  suggested: 'The guard suggests rolling it back',
  refused: 'The guard could not roll it back',
} as const;

async function guardAlert(
  db: RegistryDb,
  channel: ChannelName,
  { did, app, version, subject, why, evidence }: GuardAction,
): Promise<Alert> {
  const name = versionName(app, version);
  const by = did === 'acted' ? (await findVersion(db, app, version))?.published_by : undefined;
  const text =
    `${name} on ${channel} (${releaseId(subject)}): ${ACTION_TEXTS[did]}, for ${evidence}. (${why})` +
    (by === undefined ? '' : ` It was published by ${by}. Nothing is left to do.`);
  return { kind: did, state: 'happened', channel, subject: name, text };
}
