import type { AppChange, CanaryShare, ChangeAnswer, ChannelName } from '@site/contract';
import { pickAuthorFields } from '@site/contract/author-fields';
import { appendAudit } from '../kernel/audit.repository.ts';
import { canaryChanges } from './canary.ts';
import {
  canaryShare,
  type ChannelSnapshot,
  insertCanary,
  runningCanaries,
  setLive,
  type StoredCanary,
  updateCanary,
} from './channel.repository.ts';
import { lockChannel } from '../kernel/locks.ts';
import { formerVersions } from './live-version.repository.ts';
import { channelChanged } from '../kernel/notices.ts';
import { insertRelease, releaseId, type StoredRelease } from './release.repository.ts';
import type { RegistryTransaction } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import { appChanges } from '../versions/index.ts';
import { toPercent } from '../signals/index.ts';
import { digest } from '../kernel/canonical-json.ts';
import { lastGoodVersions } from './last-good-versions.ts';
import type { PreparedRelease } from './prepare-release.ts';
import { changedKeys, queuePurges } from '../kernel/queue-purges.ts';
import type { Outcome } from '../kernel/run-change.ts';

export interface ChannelSteps {
  snapshot: ChannelSnapshot;
  live: PreparedRelease | null;
  started?: { release: PreparedRelease; app: CanaryShare['app']; basisPoints: number };
  ended?: readonly StoredCanary[];
}

export async function channelMoved(
  transaction: RegistryTransaction,
  { channel, live, canaries }: ChannelSnapshot,
): Promise<boolean> {
  const row = await lockChannel(transaction, channel);
  const numbers = (await runningCanaries(transaction, channel)).map(({ release }) => release);
  return (
    row.live !== (live?.number ?? null) || numbers.join() !== canaries.map(({ number }) => number).join()
  );
}

/** Record quarantines and revocations of the same change first: they determine the fallback versions. */
export async function makeReleases(
  writing: ChangeContext,
  steps: ChannelSteps,
  more: Partial<ChangeAnswer> = {},
): Promise<Outcome<ChangeAnswer>> {
  const made = await make(writing, steps);
  const { snapshot } = steps;
  await queuePurges(
    writing,
    snapshot.channel,
    changedKeys(snapshot.live, made.live ?? snapshot.live, [
      ...(steps.ended ?? []),
      ...(made.canary ? [made.canary] : []),
    ]),
  );
  return {
    body: { ...changeAnswer(steps, made), ...more },
    created: made.live !== null || made.canary !== null,
    notices: [channelChanged(snapshot.channel)],
  };
}

interface MadeReleases {
  live: StoredRelease | null;
  canary: StoredCanary | null;
}

async function make(
  writing: ChangeContext,
  { snapshot, live: prepared, started, ended = [] }: ChannelSteps,
): Promise<MadeReleases> {
  const { channel } = snapshot;
  const audit = (action: string, subject: number, details: Record<string, unknown>) =>
    appendAudit(writing, { action, subject: releaseId(subject), details: { channel, ...details } });

  for (const canary of ended) await updateCanary(writing, canary, { ended_at: writing.at });
  let live: StoredRelease | null = null;
  if (prepared) {
    live = await insert(writing, channel, prepared, { parent: snapshot.live, asCanary: false });
    await setLive(writing.transaction, channel, live.number);
    const [promoted] = prepared.kind === 'promote' ? ended : [];
    await audit(`release.${prepared.kind}`, live.number, {
      ...auditDetails(snapshot.live, live),
      ...(promoted ? { canary: promoted.release.id } : {}),
    });
  }
  if (!started) return { live, canary: null };
  const parent = live ?? snapshot.live;
  const { app, basisPoints } = started;
  const made = await insert(writing, channel, started.release, { parent, asCanary: true });
  const canary = { ...made, app, basisPoints };
  await insertCanary(writing, { channel, ...canary });
  await audit('canary.started', made.number, {
    ...auditDetails(parent, made),
    app,
    share: toPercent(basisPoints),
  });
  return { live, canary };
}

async function insert(
  writing: ChangeContext,
  channel: ChannelName,
  prepared: PreparedRelease,
  { parent, asCanary }: { parent: StoredRelease | null; asCanary: boolean },
): Promise<StoredRelease> {
  const { transaction } = writing;
  const { apps, config, set } = prepared;
  const former = await formerVersions(transaction, channel, Object.keys(apps));
  const lastGood = await lastGoodVersions(transaction, [set.shell, ...set.remotes], former);
  return insertRelease(writing, {
    ...prepared,
    channel,
    // Browsers fall back only for remotes.
    lastGood: Object.fromEntries(
      lastGood.flatMap((manifest) => (manifest.kind === 'remote' ? [[manifest.app, manifest.version]] : [])),
    ),
    configDigest: digest(config),
    parent: parent?.number ?? null,
    asCanary,
  });
}

function auditDetails(parent: StoredRelease | null, made: StoredRelease): Record<string, unknown> {
  const { release, configDigest } = made;
  return {
    parent: release.parent,
    changes: changesBetween(parent, made),
    ...(parent && parent.configDigest !== configDigest
      ? { config: { from: parent.configDigest, to: configDigest } }
      : {}),
    ...newRedirects(parent, made),
    ...pickAuthorFields(release),
  };
}

function newRedirects(parent: StoredRelease | null, { release }: StoredRelease): Record<string, unknown> {
  const before = parent?.release.retired ?? {};
  const now = Object.entries(release.retired ?? {}).filter(([app, { to }]) => before[app]?.to !== to);
  return now.length > 0 ? { retired: Object.fromEntries(now.map(([app, { to }]) => [app, to])) } : {};
}

function changesBetween(before: StoredRelease | null, after: StoredRelease | null): AppChange[] {
  return appChanges(before?.release.apps ?? {}, after?.release.apps ?? {});
}

function changeAnswer(
  { snapshot, live, started, ended = [] }: ChannelSteps,
  made: MadeReleases,
): ChangeAnswer {
  const about = made.live ?? made.canary ?? snapshot.live;
  if (!about) throw new Error(`Nothing changes on "${snapshot.channel}".`);
  return {
    release: about.release,
    changed: true,
    rendered: (live?.rendered ?? 0) + (started?.release.rendered ?? 0),
    changes:
      about === snapshot.live
        ? // The end of a canary changes the site for its visitors.
          ended.flatMap((canary) =>
            canaryChanges(snapshot, canary).map(({ app, from, to }) => ({ app, from: to, to: from })),
          )
        : changesBetween(snapshot.live, about),
    canary: made.canary && canaryShare(made.canary),
  };
}
