import type { ChangeAnswer, ChannelName } from '@site/contract';
import type { PromotionRequest } from '@site/contract/registry-calls/channel.calls';
import { findChannel } from '../database/channel.repository.ts';
import { setOf } from '../domain/app-set.ts';
import { requireCanary, requireCanaryScopes } from './canary.ts';
import { CHANNEL_MOVED, changeChannel } from './change-channel.ts';
import type { Actor, RegistryContext } from './context.ts';
import { refuseFrozen, refuseQuarantined } from './guards.ts';
import type { Answer, Remember } from './idempotency.ts';
import { prepareRelease } from './prepare-release.ts';

/** Shows the canary to everyone: a new stable release with its changes. Tabs that show the canary are left alone. */
export async function promoteCanary(
  context: RegistryContext,
  actor: Actor,
  channel: ChannelName,
  request: PromotionRequest,
  remember: Remember,
): Promise<Answer<ChangeAnswer>> {
  let meant = request.candidate;
  for (;;) {
    const seen = await findChannel(context.db, channel);
    const running = await requireCanary(context.db, seen, meant);
    // Once decided, it is this canary and no later one, however often this starts again.
    meant ??= running.canary.release.id;
    requireCanaryScopes(actor, running);
    const refuse = async (db: RegistryContext['db']) => {
      await refuseFrozen(db, channel, Object.keys(running.versions));
      await refuseQuarantined(db, running.versions);
    };
    await refuse(context.db);

    const { release } = running.canary;
    // Its parent is the stable release at any time, so these are its changes on top of what is live now.
    const plan = {
      kind: 'promote' as const,
      ...setOf(release),
      config: release.config,
      reason: request.reason,
    };
    const stable = await prepareRelease(context, channel, plan, Object.keys(running.versions));
    const answer = await changeChannel(context, {
      actor,
      seen,
      stable,
      canary: { step: 'end' },
      dryRun: request.dryRun,
      remember,
      async before(transaction) {
        await refuse(transaction);
        return {};
      },
    });
    if (answer !== CHANNEL_MOVED) return answer;
  }
}
