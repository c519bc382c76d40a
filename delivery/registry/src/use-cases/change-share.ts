import { basisPoints, type ChangeAnswer, type ChannelName } from '@site/contract';
import type { ShareRequest } from '@site/contract/registry-calls/channel.calls';
import { appendAudit, lockAuditLog } from '../database/audit.repository.ts';
import { findChannel, lockChannel, movePointers } from '../database/channel.repository.ts';
import { appChanges } from '../domain/app-set.ts';
import { requireCanary, requireCanaryScopes } from './canary.ts';
import { tellEdges } from './change-channel.ts';
import type { Actor, RegistryContext } from './context.ts';
import { inTransaction } from './dry-run.ts';
import { refuseFrozen, refuseQuarantined } from './guards.ts';
import type { Answer, Remember } from './idempotency.ts';

/** Shows the running canary to more or to fewer visitors. */
export async function changeShare(
  context: RegistryContext,
  actor: Actor,
  channel: ChannelName,
  { share, reason, candidate, dryRun }: ShareRequest,
  remember: Remember,
): Promise<Answer<ChangeAnswer>> {
  return inTransaction(context.db, dryRun, async (transaction) => {
    await lockChannel(transaction, channel);
    await lockAuditLog(transaction);
    const seen = await findChannel(transaction, channel);
    const running = await requireCanary(transaction, seen, candidate);
    requireCanaryScopes(actor, running);
    const { release, basisPoints: before } = running.canary;
    const after = basisPoints(share);
    // What may not be shown to everyone may not be shown to more, either; to fewer, always.
    if (after > before) {
      await refuseFrozen(transaction, channel, Object.keys(running.versions));
      await refuseQuarantined(transaction, running.versions);
    }
    const body: ChangeAnswer = {
      release,
      changed: after !== before,
      rendered: 0,
      changes: appChanges(seen.stable?.release.apps ?? {}, release.apps),
      candidate: { release: release.id, share },
      ...(dryRun ? { dryRun } : {}),
    };
    const answer = { status: 200, body };
    if (after === before) return answer;
    await movePointers(transaction, channel, { candidate_basis_points: after });
    await appendAudit(transaction, {
      at: context.now(),
      by: actor.name,
      action: 'canary.share',
      subject: release.id,
      details: { channel, from: before / 100, to: share, reason },
    });
    await remember(transaction, answer);
    await tellEdges(transaction, channel);
    return answer;
  });
}
