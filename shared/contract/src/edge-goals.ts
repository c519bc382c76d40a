import type { ChannelAnswer } from './channel-answers.schema.ts';
import { releaseNumber, type ChannelState } from './release.schema.ts';

/** A condition on an edge's report and the channel's state. */
export type EdgeGoal = (
  edge: Pick<ChannelAnswer['edges'][number], 'release' | 'canary'>,
  state: ChannelState,
) => boolean;

/** Serves this release or a later one, and no ended canary: no visitor gets the previous release. */
export function servesLive(release: string): EdgeGoal {
  return (edge, state) =>
    edge.release !== null &&
    releaseNumber(edge.release) >= releaseNumber(release) &&
    servesNoOldCanary(edge, state);
}

export const servesNoOldCanary: EdgeGoal = ({ canary }, state) =>
  canary === null || canary.release === state.canary?.release;

export const servesCanary: EdgeGoal = ({ canary }, state) =>
  canary?.release === state.canary?.release && canary?.share === state.canary?.share;
