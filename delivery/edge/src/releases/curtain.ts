import { mustLeave } from '@site/contract';
import type { ReleaseKeeper } from './release-keeper.ts';

/**
 * Stands between the releases that an edge has and its visitors while the edge starts. What the disk remembers may have been
 * revoked meanwhile: nothing of it is shown before the registry was asked, or has been unreachable for too long.
 */
export interface Curtain extends Pick<ReleaseKeeper, 'live' | 'canary'> {
  /** Whether a load balancer should send visitors here. */
  isReady(): boolean;
  /** What the disk remembers is loaded, if it has anything. */
  restored(): void;
  /** What the registry wants to be shown is loaded, if it can be. */
  caughtUp(): void;
  /** The registry cannot be asked now. */
  registryIsAway(): void;
  /** Shows what there is, without waiting any longer. */
  open(): void;
}

/** @param onOpen called once, when visitors get to see releases that were held back. */
export function createCurtain(
  keeper: Pick<ReleaseKeeper, 'live' | 'canary' | 'told'>,
  onOpen: () => void,
): Curtain {
  let isOpen = false;
  /** A restarted edge takes no traffic with an old release while the registry can tell it the new one. */
  let hasCaughtUp = false;
  const live = () => (isOpen ? keeper.live() : null);

  /** What is known to be revoked stays out of sight, even when nothing else is available. */
  function open(): void {
    const release = keeper.live();
    const told = keeper.told();
    if (isOpen || !release || (told && mustLeave(told, release.id))) return;
    isOpen = true;
    onOpen();
  }

  return {
    live,
    canary: () => (isOpen ? keeper.canary() : null),
    isReady: () => hasCaughtUp && live() !== null,
    restored: () => void (isOpen = keeper.live() === null),
    caughtUp() {
      hasCaughtUp = true;
      open();
    },
    registryIsAway: () => void (hasCaughtUp = true),
    open,
  };
}
