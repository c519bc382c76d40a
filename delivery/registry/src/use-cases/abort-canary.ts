import type { ChangeAnswer, ChannelName } from '@site/contract';
import { appendAudit } from '../database/audit.repository.ts';
import { canaryReleases, findChannel } from '../database/channel.repository.ts';
import { quarantine } from '../database/quarantine.repository.ts';
import { releaseId, revokeReleases } from '../database/release.repository.ts';
import { requireCanary, requireCanaryScopes } from './canary.ts';
import { CHANNEL_MOVED, changeChannel } from './change-channel.ts';
import type { Actor, RegistryContext } from './context.ts';
import type { Answer, Remember } from './idempotency.ts';

export interface AbortRequest {
  reason: string;
  /** The canary that the author saw: any release that it ever was. */
  candidate?: string | undefined;
  /** Bans the versions that the canary brought. */
  quarantine?: boolean | undefined;
  dryRun?: boolean | undefined;
}

/** Ends the canary: everyone sees the stable release, and tabs that show the canary leave it. */
export async function abortCanary(
  context: RegistryContext,
  actor: Actor,
  channel: ChannelName,
  request: AbortRequest,
  remember: Remember,
): Promise<Answer> {
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

    const answer = await changeChannel(context, {
      actor,
      seen,
      stable: null,
      canary: { step: 'end' },
      dryRun,
      remember,
      async before(transaction, at) {
        const by = actor.name;
        const releases = await canaryReleases(transaction, channel, canary.first);
        await revokeReleases(transaction, releases, { reason, by, at });
        for (const version of banned) await quarantine(transaction, { ...version, reason, by, at });
        const revoked = releases.map(releaseId);
        await appendAudit(transaction, {
          at,
          by,
          action: 'canary.aborted',
          subject: canary.release.id,
          details: { channel, revoked, reason },
        });
        return {
          revoked,
          ...(request.quarantine ? { quarantinedVersions: banned } : {}),
        } satisfies Partial<ChangeAnswer>;
      },
    });
    if (answer !== CHANNEL_MOVED) return answer;
  }
}
