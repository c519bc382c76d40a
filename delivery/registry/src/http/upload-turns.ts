import { baseErrors } from '@site/server/base-errors';

/** Bodies of one token that are in memory at once; the others wait in their connections. */
const UPLOADS_AT_ONCE = 6;
/** Connections of one token that wait. */
const UPLOADS_WAITING = 200;

/**
 * Lets a few requests of each token go on at once.
 *
 * @throws ApiError `rate_limited` when too many wait.
 */
export function createUploadTurns(): (tokenId: string) => Promise<() => void> {
  const tokens = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async (tokenId) => {
    const turns = tokens.get(tokenId) ?? { running: 0, waiting: [] };
    tokens.set(tokenId, turns);
    if (turns.waiting.length >= UPLOADS_WAITING) {
      throw baseErrors.rate_limited(`${turns.waiting.length} uploads of this token wait for their turn.`, {
        headers: { 'retry-after': '10' },
      });
    }
    if (turns.running >= UPLOADS_AT_ONCE) await new Promise<void>((go) => turns.waiting.push(go));
    else turns.running += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = turns.waiting.shift();
      if (next) return next();
      turns.running -= 1;
      if (turns.running === 0) tokens.delete(tokenId);
    };
  };
}
