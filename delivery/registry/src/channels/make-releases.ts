import type { AppChange, CanaryShare, ChangeAnswer, ChannelName } from '@site/contract';
import { pickAuthorFields } from '@site/contract/author-fields';
import { appendAudit } from '../kernel/audit.repository.ts';
import { movePointers, type ChannelSnapshot } from './channel.repository.ts';
import { lockChannel } from '../kernel/locks.ts';
import { formerVersions } from './live-version.repository.ts';
import { channelChanged } from '../kernel/notices.ts';
import { insertRelease, releaseId, type StoredRelease } from './release.repository.ts';
import type { RegistryTransaction } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import { appChanges } from '../versions/index.ts';
import { canaryShare } from '../signals/index.ts';
import { digest } from '../kernel/canonical-json.ts';
import { lastGoodVersions } from './last-good-versions.ts';
import type { PreparedRelease } from './prepare-release.ts';
import { changedKeys, queuePurges } from '../kernel/queue-purges.ts';
import type { Outcome } from '../kernel/run-change.ts';

/** What happens to the canary. A running one must change when the live release does. */
export type CanaryStep =
  | { step: 'none' }
  | { step: 'start'; release: PreparedRelease; basisPoints: number }
  | { step: 'carry'; release: PreparedRelease }
  | { step: 'end' };

export interface ChannelSteps {
  snapshot: ChannelSnapshot;
  live: PreparedRelease | null;
  canary: CanaryStep;
}

export async function channelMoved(
  transaction: RegistryTransaction,
  { channel, live, canary }: ChannelSnapshot,
): Promise<boolean> {
  const row = await lockChannel(transaction, channel);
  return row.live !== (live?.number ?? null) || row.canary !== (canary?.number ?? null);
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
    changedKeys(snapshot, {
      live: made.live ?? snapshot.live,
      canary: steps.canary.step === 'none' ? snapshot.canary : made.canary,
    }),
  );
  return {
    body: { ...changeAnswer(steps, made), ...more },
    created: made.live !== null || made.canary !== null,
    notices: [channelChanged(snapshot.channel)],
  };
}

interface MadeReleases {
  live: StoredRelease | null;
  canary: StoredRelease | null;
  running: CanaryShare | null;
}

async function make(writing: ChangeContext, steps: ChannelSteps): Promise<MadeReleases> {
  const { snapshot, canary } = steps;
  const { channel } = snapshot;
  const { transaction } = writing;
  const audit = (action: string, subject: number, details: Record<string, unknown>) =>
    appendAudit(writing, { action, subject: releaseId(subject), details: { channel, ...details } });

  let live: StoredRelease | null = null;
  if (steps.live) {
    live = await insert(writing, channel, steps.live, { parent: snapshot.live, asCanary: false });
    await movePointers(transaction, channel, { live: live.number });
    await audit(`release.${steps.live.kind}`, live.number, {
      ...auditDetails(snapshot.live, live),
      ...(steps.live.kind === 'promote' && snapshot.canary ? { canary: snapshot.canary.release.id } : {}),
    });
  }
  const parent = live ?? snapshot.live;

  switch (canary.step) {
    case 'start': {
      const made = await insert(writing, channel, canary.release, { parent, asCanary: true });
      const { basisPoints } = canary;
      await movePointers(transaction, channel, {
        canary: made.number,
        canary_basis_points: basisPoints,
        canary_first: made.number,
      });
      const running = canaryShare(made.release.id, basisPoints);
      await audit('canary.started', made.number, { ...auditDetails(parent, made), share: running.share });
      return { live, canary: made, running };
    }
    case 'carry': {
      const made = await insert(writing, channel, canary.release, { parent, asCanary: true });
      await movePointers(transaction, channel, { canary: made.number });
      await audit('canary.carried', made.number, {
        ...auditDetails(parent, made),
        from: snapshot.canary?.release.id ?? null,
      });
      // Reload: the share may have changed during preparation.
      const { canary_basis_points: basisPoints } = await lockChannel(transaction, channel);
      return { live, canary: made, running: canaryShare(made.release.id, basisPoints ?? 0) };
    }
    case 'end':
      await movePointers(transaction, channel, {
        canary: null,
        canary_basis_points: null,
        canary_first: null,
      });
      return { live, canary: null, running: null };
    case 'none':
      return { live, canary: null, running: null };
  }
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

function changeAnswer({ snapshot, live, canary }: ChannelSteps, made: MadeReleases): ChangeAnswer {
  const about = made.live ?? made.canary ?? snapshot.live;
  if (!about) throw new Error(`Nothing changes on "${snapshot.channel}".`);
  const rendered = (live?.rendered ?? 0) + ('release' in canary ? canary.release.rendered : 0);
  // The end of a canary changes the site for its visitors.
  const before = made.live || made.canary ? snapshot.live : snapshot.canary;
  return {
    release: about.release,
    changed: true,
    rendered,
    changes: changesBetween(before, about),
    canary: made.running,
  };
}
