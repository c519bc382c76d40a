import type { ChangeAnswer, ChannelName } from '@site/contract';
import type { AbortRequest } from '@site/contract/registry-calls/channel.calls';
import { appendAudit } from '../kernel/audit.repository.ts';
import { listCanaryReleases, type StoredCanary, type ChannelSnapshot } from './channel.repository.ts';
import { insertQuarantine, type Quarantine } from './quarantine.repository.ts';
import { releaseId } from './release.repository.ts';
import { releasesWith, revokeReleases } from './revocation.repository.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import { readCanary, requireCanary, requireCanaryScopes } from './canary.ts';
import type { Answer, Command } from '../kernel/command.ts';
import { makeReleases } from './make-releases.ts';
import { runChange, type Outcome } from '../kernel/run-change.ts';

export function abortCanary(
  command: Command,
  channel: ChannelName,
  request: AbortRequest,
): Promise<Answer<ChangeAnswer>> {
  const { reason } = request;
  return runChange(command, {
    locks: { channels: [channel] },
    read: (db) => readCanary(db, channel, request.ifCanary),
    decide(seen): CanaryEnd {
      const running = requireCanary(seen);
      requireCanaryScopes(command.actor, running);
      const quarantined = request.quarantine
        ? Object.entries(running.versions).map(([app, version]) => ({ app, version, reason }))
        : [];
      return { snapshot: seen.snapshot, canary: running.canary, quarantined, reason };
    },
    write: (writing, end) =>
      endCanary(
        writing,
        end,
        request.quarantine
          ? { quarantinedVersions: end.quarantined.map(({ app, version }) => ({ app, version })) }
          : {},
      ),
  });
}

export interface CanaryEnd {
  snapshot: ChannelSnapshot;
  canary: StoredCanary;
  quarantined: readonly Quarantine[];
  reason: string;
}

/** Tabs leave the canary, and every other release that contains a quarantined version. */
export async function endCanary(
  writing: ChangeContext,
  { snapshot, canary, quarantined, reason }: CanaryEnd,
  more: Partial<ChangeAnswer>,
): Promise<Outcome<ChangeAnswer>> {
  const { channel } = snapshot;
  const { transaction } = writing;
  const releases = await listCanaryReleases(transaction, channel, canary.first);
  for (const bad of quarantined) {
    releases.push(...(await releasesWith(transaction, channel, bad.app, bad.version)));
    await insertQuarantine(writing, bad);
  }
  const distinct = [...new Set(releases)].sort((a, b) => a - b);
  await revokeReleases(writing, distinct, { channel, reason });
  const revoked = distinct.map(releaseId);
  await appendAudit(writing, {
    action: 'canary.aborted',
    subject: canary.release.id,
    details: { channel, revoked, reason },
  });
  return makeReleases(writing, { snapshot, live: null, canary: { step: 'end' } }, { revoked, ...more });
}
