import type { ChannelAnswer } from './channel-answers.schema.ts';
import { releaseNumber, type ChannelState } from './release.schema.ts';

export type EdgeGoal = (
  edge: Pick<ChannelAnswer['edges'][number], 'release' | 'canary' | 'diverged'>,
  state: ChannelState,
) => boolean;

/** Serves this release or a later one, and no ended canary: no visitor gets the previous release. */
export function servesLive(release: string): EdgeGoal {
  return (edge, state) =>
    edge.release !== null &&
    !edge.diverged &&
    releaseNumber(edge.release) >= releaseNumber(release) &&
    servesNoOldCanary(edge, state);
}

export const servesNoOldCanary: EdgeGoal = ({ canary, diverged }, state) =>
  canary === null || (canary.release === state.canary?.release && !diverged);

export const servesCanary: EdgeGoal = ({ canary, diverged }, state) =>
  !diverged && canary?.release === state.canary?.release && canary?.share === state.canary?.share;
