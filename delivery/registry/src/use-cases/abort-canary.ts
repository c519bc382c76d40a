import type { ChangeAnswer, ChannelName } from '@site/contract';
import type { AbortRequest } from '@site/contract/registry-calls/channel.calls';
import { appendAudit } from '../database/audit.repository.ts';
import { canaryReleases, type Canary, type ChannelSnapshot } from '../database/channel.repository.ts';
import { quarantine } from '../database/quarantine.repository.ts';
import { releaseId, releasesWith, revokeReleases } from '../database/release.repository.ts';
import type { Writing } from '../database/writing.ts';
import { readCanary, requireCanary, requireCanaryScopes } from './canary.ts';
import type { Answer, Command } from './command.ts';
import { makeReleases } from './make-releases.ts';
import { runChange, type Outcome } from './run-change.ts';

interface JudgedVersion {
  app: string;
  version: string;
}

/** Ends the canary: everyone sees the stable release, and tabs that show the canary leave it. */
export function abortCanary(
  command: Command,
  channel: ChannelName,
  request: AbortRequest,
): Promise<Answer<ChangeAnswer>> {
  return runChange(command, {
    locks: { channels: [channel] },
    read: (db) => readCanary(db, channel, request.candidate),
    decide(seen): CanaryEnd {
      const running = requireCanary(seen);
      requireCanaryScopes(command.actor, running);
      const banned = request.quarantine
        ? Object.entries(running.versions).map(([app, version]) => ({ app, version }))
        : [];
      return { live: seen.live, canary: running.canary, banned, reason: request.reason };
    },
    write: (writing, end) =>
      endCanary(writing, end, request.quarantine ? { quarantinedVersions: [...end.banned] } : {}),
  });
}

export interface CanaryEnd {
  live: ChannelSnapshot;
  canary: Canary;
  /** The versions to quarantine. */
  banned: readonly JudgedVersion[];
  reason: string;
}

/**
 * Everyone sees the stable release. Tabs leave the canary, and every other release that holds a quarantined version.
 *
 * @param more what else the answer says.
 */
export async function endCanary(
  writing: Writing,
  { live, canary, banned, reason }: CanaryEnd,
  more: Partial<ChangeAnswer>,
): Promise<Outcome<ChangeAnswer>> {
  const { channel } = live;
  const { transaction } = writing;
  const releases = await canaryReleases(transaction, channel, canary.first);
  for (const { app, version } of banned) {
    releases.push(...(await releasesWith(transaction, channel, app, version)));
    await quarantine(writing, { app, version, reason });
  }
  const distinct = [...new Set(releases)].sort((a, b) => a - b);
  await revokeReleases(writing, distinct, { channel, reason });
  const revoked = distinct.map(releaseId);
  await appendAudit(writing, {
    action: 'canary.aborted',
    subject: canary.release.id,
    details: { channel, revoked, reason },
  });
  return makeReleases(writing, { live, stable: null, canary: { step: 'end' } }, { revoked, ...more });
}
