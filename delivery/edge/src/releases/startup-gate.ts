import { mustLeave } from '@site/contract';
import type { ReleaseKeeper } from './release-keeper.ts';
import type { VisitorSets } from './visitor-sets.ts';

/**
 * Holds back releases while the edge starts. A release from disk may have been revoked in the meantime, so it is hidden
 * until the registry has answered or has been unreachable for too long.
 */
export interface StartupGate extends VisitorSets {
  /** For load balancers. */
  isReady(): boolean;
  restored(): void;
  caughtUp(): void;
  registryUnreachable(): void;
  /** The registry rejects the token: withdrawn releases would stay, so this edge is not ready. */
  registryRejected(): void;
  /** Without further waiting. */
  open(): void;
}

export function createStartupGate(
  keeper: VisitorSets & Pick<ReleaseKeeper, 'channelState'>,
  onOpen: () => void,
): StartupGate {
  let isOpen = false;
  /** A restarted edge reports "not ready" with an old release while the registry can provide the new one. */
  let hasCaughtUp = false;
  let isRejected = false;
  const live = () => (isOpen ? keeper.live() : null);

  /** Revoked releases stay hidden even if nothing else is available. */
  function open(): void {
    const release = keeper.live();
    const state = keeper.channelState();
    if (isOpen || !release || (state && mustLeave(state, release.id))) return;
    isOpen = true;
    onOpen();
  }

  return {
    live,
    canaries: () => (isOpen ? keeper.canaries() : []),
    sets: () => (isOpen ? keeper.sets() : []),
    composed: keeper.composed,
    isReady: () => hasCaughtUp && !isRejected && live() !== null,
    restored: () => void (isOpen = keeper.live() === null),
    caughtUp() {
      hasCaughtUp = true;
      isRejected = false;
      open();
    },
    registryUnreachable: () => void (hasCaughtUp = true),
    registryRejected: () => void (isRejected = true),
    open,
  };
}
