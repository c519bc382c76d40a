import type { ChannelAnswer } from './channel-answers.schema.ts';
import { releaseNumber, type ChannelState } from './release.schema.ts';

/** What an edge must have come to, judged by what it reports and by where its channel points now. */
export type EdgeGoal = (
  edge: Pick<ChannelAnswer['edges'][number], 'release' | 'canary'>,
  state: ChannelState,
) => boolean;

/** Serves this release, or a later one, and no canary that is over: no visitor gets what was before. */
export function servesLive(release: string): EdgeGoal {
  return (edge, state) =>
    edge.release !== null &&
    releaseNumber(edge.release) >= releaseNumber(release) &&
    servesNoOldCanary(edge, state);
}

/** Whatever canary it serves is the one that runs now. */
export const servesNoOldCanary: EdgeGoal = ({ canary }, state) =>
  canary === null || canary.release === state.canary?.release;

/** Shows the canary that runs now to the share of visitors that is wanted now. */
export const servesCanary: EdgeGoal = ({ canary }, state) =>
  canary?.release === state.canary?.release && canary?.share === state.canary?.share;
