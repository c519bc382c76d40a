import type { ChangeAnswer, ChannelName } from '@site/contract';
import type { AbortRequest } from '@site/contract/registry-calls/channel.calls';
import { appendAudit } from '../database/audit.repository.ts';
import {
  canaryReleases,
  findChannel,
  type Canary,
  type ChannelSnapshot,
} from '../database/channel.repository.ts';
import { quarantine } from '../database/quarantine.repository.ts';
import { releaseId, releasesWith, revokeReleases } from '../database/release.repository.ts';
import { requireCanary, requireCanaryScopes } from './canary.ts';
import { CHANNEL_MOVED, changeChannel } from './change-channel.ts';
import type { Actor, RegistryContext } from './context.ts';
import type { Answer, Remember } from './idempotency.ts';

interface JudgedVersion {
  app: string;
  version: string;
}

/** Ends the canary: everyone sees the stable release, and tabs that show the canary leave it. */
export async function abortCanary(
  context: RegistryContext,
  actor: Actor,
  channel: ChannelName,
  request: AbortRequest,
  remember: Remember,
): Promise<Answer<ChangeAnswer>> {
  const { reason, dryRun } = request;
  let meant = request.candidate;
  for (;;) {
    const seen = await findChannel(context.db, channel);
    const { canary, ...running } = await requireCanary(context.db, seen, meant);
    meant ??= canary.release.id;
    requireCanaryScopes(actor, { canary, ...running });
    const banned = request.quarantine
      ? Object.entries(running.versions).map(([app, version]) => ({ app, version }))
      : [];

    const more = request.quarantine ? { quarantinedVersions: banned } : {};
    const answer = await endCanary(context, { actor, seen, canary, banned, reason, dryRun, remember, more });
    if (answer !== CHANNEL_MOVED) return answer;
  }
}

interface CanaryEnd {
  actor: Actor;
  seen: ChannelSnapshot;
  canary: Canary;
  /** The versions to quarantine. */
  banned: readonly JudgedVersion[];
  reason: string;
  dryRun: boolean | undefined;
  remember: Remember;
  /** What else the answer says. */
  more?: Partial<ChangeAnswer>;
}

/** Everyone sees the stable release. Tabs leave the canary, and every other release that holds a quarantined version. */
export function endCanary(
  context: RegistryContext,
  { actor, seen, canary, banned, reason, dryRun, remember, more }: CanaryEnd,
): Promise<Answer<ChangeAnswer> | typeof CHANNEL_MOVED> {
  const { channel } = seen;
  const by = actor.name;
  return changeChannel(context, {
    actor,
    seen,
    stable: null,
    canary: { step: 'end' },
    dryRun,
    remember,
    async before(transaction, at) {
      const releases = await canaryReleases(transaction, channel, canary.first);
      for (const { app, version } of banned) {
        releases.push(...(await releasesWith(transaction, channel, app, version)));
        await quarantine(transaction, { app, version, reason, by, at });
      }
      const distinct = [...new Set(releases)].sort((a, b) => a - b);
      await revokeReleases(transaction, distinct, { channel, reason, by, at });
      const revoked = distinct.map(releaseId);
      await appendAudit(transaction, {
        at,
        by,
        action: 'canary.aborted',
        subject: canary.release.id,
        details: { channel, revoked, reason },
      });
      return { revoked, ...more };
    },
  });
}
