import type { ChangeAnswer, ChannelName } from '@site/contract';
import type { AbortRequest } from '@site/contract/registry-calls/channel.calls';
import { appendAudit } from '../kernel/audit.repository.ts';
import { findChannel, type StoredCanary, type ChannelSnapshot } from './channel.repository.ts';
import { insertQuarantine } from './quarantine.repository.ts';
import { releaseId } from './release.repository.ts';
import { releasesWith, revokeReleases } from './revocation.repository.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import { canaryVersion, requireCanary, requireCanaryScope } from './canary.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { makeReleases } from './make-releases.ts';
import { runChange, type Outcome } from '../kernel/run-change.ts';

export function abortCanary(
  command: Command,
  channel: ChannelName,
  { reason, quarantine = false, ...named }: AbortRequest,
): Promise<Answer<ChangeAnswer>> {
  return runChange(command, {
    locks: { channels: [channel] },
    read: (db) => findChannel(db, channel),
    decide(snapshot): CanaryEnd {
      const canary = requireCanary(snapshot, named);
      requireCanaryScope(command.actor, canary);
      return { snapshot, canary, quarantine, reason };
    },
    write: (writing, end) => endCanary(writing, end),
  });
}

export interface CanaryEnd {
  snapshot: ChannelSnapshot;
  canary: StoredCanary;
  /** Tabs then leave every release that contains its version. */
  quarantine: boolean;
  reason: string;
}

/** Tabs leave the canary. */
export async function endCanary(
  writing: ChangeContext,
  { snapshot, canary, quarantine, reason }: CanaryEnd,
  more: Partial<ChangeAnswer> = {},
): Promise<Outcome<ChangeAnswer>> {
  const { channel } = snapshot;
  const { app } = canary;
  const version = quarantine ? canaryVersion(canary) : undefined;
  const releases = new Set([canary.number]);
  if (version !== undefined) {
    for (const number of await releasesWith(writing.transaction, channel, app, version)) releases.add(number);
    await insertQuarantine(writing, { app, version, reason });
  }
  const left = [...releases].sort((a, b) => a - b);
  await revokeReleases(writing, left, { channel, reason });
  const revoked = left.map(releaseId);
  await appendAudit(writing, {
    action: 'canary.aborted',
    subject: canary.release.id,
    details: { channel, app, revoked, reason },
  });
  return makeReleases(
    writing,
    { snapshot, live: null, ended: [canary] },
    { revoked, ...(version === undefined ? {} : { quarantined: { app, version } }), ...more },
  );
}
