import type { VersionManifest } from '@site/contract';
import { inParallel } from '@site/contract/in-parallel';
import { BusyError, createTurns, type Turns } from '@site/server/turns';
import { registryErrors } from './registry-errors.ts';
import type { RegistryContext } from './context.ts';

/**
 * Concurrent compressions of this process, at most all but one for one team. They share libuv's four threads with file
 * access.
 */
const AT_ONCE = 3;

/** Queued or running compressions per publish, so that concurrent publishes of a team share the queue. */
const OF_ONE_PUBLISH = 2;

/** The queue of compressions for releases, which few tokens can request. */
export const RELEASES_TURN = '';

export function createCompressingTurns(): Turns {
  return createTurns({
    atOnce: AT_ONCE,
    atOncePerCaller: AT_ONCE - 1,
    waiting: 1_000,
    waitingPerCaller: 100,
  });
}

type Compressing = Pick<RegistryContext, 'compressing'>;

/**
 * @param turn see `actorQueue`, so that heavy users do not delay light ones.
 * @throws ApiError `compression_busy` immediately if the queue is full.
 */
export async function compressInTurn<T>(
  { compressing }: Compressing,
  turn: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await compressing.take(turn, work);
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
    throw registryErrors.compression_busy(`They cannot be compressed now: ${error.message}`, {
      headers: { 'retry-after': '5' },
      cause: error,
    });
  }
}

/**
 * Files are compressed at publishing rather than on upload, so that uploads alone cost no CPU time. Copies made before
 * an aborted request are reused.
 */
export async function compressAssets(
  context: Pick<RegistryContext, 'compressing' | 'store'>,
  { assets }: VersionManifest,
  turn: string,
): Promise<void> {
  const integrities = [...new Set(assets.map(({ integrity }) => integrity))];
  await inParallel(OF_ONE_PUBLISH, integrities, (integrity) =>
    compressInTurn(context, turn, () => context.store.compress(integrity)),
  );
}
