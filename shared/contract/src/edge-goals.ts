import type { ChannelAnswer } from './channel-answers.schema.ts';
import { releaseNumber, type ChannelState } from './release.schema.ts';

export type EdgeGoal = (
  edge: Pick<ChannelAnswer['edges'][number], 'release' | 'canaries' | 'diverged'>,
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

export const servesNoOldCanary: EdgeGoal = ({ canaries, diverged }, state) =>
  canaries.length === 0 ||
  (!diverged &&
    canaries.every(({ release }) => state.canaries.some((running) => running.release === release)));

/** Serves this canary with its current share. Other canaries are not waited for. */
export function servesCanary(id: string): EdgeGoal {
  return ({ canaries, diverged }, state) => {
    const shareIn = (list: ChannelState['canaries']) => list.find(({ release }) => release === id)?.share;
    return !diverged && shareIn(canaries) === shareIn(state.canaries);
  };
}
