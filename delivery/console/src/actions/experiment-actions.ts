import type { ChannelName, VariantChoice } from '@site/contract';
import { changeLines } from '@site/contract/change-lines';
import { servesLive } from '@site/contract/edge-goals';
import { showVariants, variantKey } from '@site/contract/variants';
import type { ConsoleAction } from './action.ts';

/** Fails if the configuration changes while the dialog is open. */
export function endExperiment(
  channel: ChannelName,
  page: string,
  choice: VariantChoice,
  says: string,
): ConsoleAction {
  const variant = variantKey(choice);
  return {
    title: `Show ${variant} of ${page} to everyone`,
    confirm: `End the experiment with ${variant}`,
    reasons: [says, 'It was decided otherwise'],
    needs: ['ops'],
    async run(ask, { reason, dryRun, key, live: seen }) {
      const { release } = await ask('readChannel', { params: { channel } });
      if (!release) throw new Error(`Nothing is live on ${channel}.`);
      const config = showVariants(release.config, page, choice);
      const body = { apps: {}, config, reason, dryRun, ifLive: seen ?? release.id };
      const answer = await ask('createRelease', { params: { channel }, body }, key);
      return {
        changed: answer.changed,
        says: `${answer.release.id} is live on ${channel}`,
        lines: [
          `everyone sees ${variant}; a rollback of the configuration draws again`,
          ...changeLines(answer),
        ],
        goal: servesLive(answer.release.id),
      };
    },
  };
}
