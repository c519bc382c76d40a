import type { VersionManifest } from '@site/contract';
import { inParallel } from '@site/contract/in-parallel';
import { BusyError, createTurns, type Turns } from '@site/server/turns';
import { registryErrors } from '../errors/registry-errors.ts';
import type { RegistryContext } from './context.ts';

/**
 * Compressions that run at once in this process, all but one of them for one token. They share four threads with all
 * reading and writing of files.
 */
const AT_ONCE = 3;

/** Those of one publish that wait or run: another publish of the same token waits beside it. */
const OF_ONE_PUBLISH = 2;

/** Whose turn the compressions for releases are: few may make them. */
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
 * Compresses something when it is the turn of the one who asks.
 *
 * @param turn the id of the token that asks: one that compresses much waits for those who compress little.
 * @throws ApiError `compression_busy`, at once, when too much is waiting.
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
 * Makes the compressed copies of what browsers get. Not when a file is uploaded: whoever only uploads gets no processor
 * for it. What was made before a request broke off is there for the next.
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
