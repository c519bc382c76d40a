import type { FastifyInstance } from 'fastify';
import { type ChannelName, ChannelNameSchema, pageSets } from '@site/contract';
import { toLiveSet } from '../versions/index.ts';
import { loadReleaseSet, renderMissing } from '../pages/index.ts';
import { channelChanged, sendNotice } from '../kernel/notices.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { forEachSettled, type Poller } from '../kernel/scheduling.ts';
import { findChannel } from './channel.repository.ts';
import { withCanaries } from './canary.ts';

/**
 * A rollback does not wait for the pages of canaries in the restored set: they are rendered afterwards, and edges are
 * notified. A page that fails is retried with the next release.
 */
export function keepCanariesRendered(
  app: FastifyInstance,
  context: RegistryContext,
  lookAgain: Poller,
): void {
  const checked = new Map<ChannelName, string>();

  async function render(channel: ChannelName): Promise<void> {
    const { live, canaries } = await findChannel(context.db, channel);
    const key = [live, ...canaries].map((one) => one?.number).join(' ');
    if (!live || checked.get(channel) === key) return;
    const base = { ...toLiveSet(live.release), config: live.release.config };
    let rendered = 0;
    for (const set of pageSets(canaries)) {
      const { apps, config } = withCanaries(base, set);
      const parts = await loadReleaseSet(context.db, apps);
      rendered += await renderMissing(context, parts, config, { skipsBroken: true });
    }
    if (rendered > 0) await sendNotice(context.db, channelChanged(channel));
    checked.set(channel, key);
  }

  const stop = lookAgain(
    () => forEachSettled(ChannelNameSchema.options, render),
    (error) => app.log.error({ err: error }, 'cannot render the pages of the canaries'),
  );
  app.addHook('onClose', stop);
}
