import { LRUCache } from 'lru-cache';
import { computeIntegrity } from '@site/contract/integrity';
import type { ProtectedStore } from '../kernel/context.ts';
import { runInThread } from '../kernel/run-in-thread.ts';

export interface Place {
  file: string;
  line: number;
  column: number;
}

export interface BuiltPlace extends Place {
  maps: string;
}

/** Cached locations of all versions. A location is small, but its source map may take 80 MB in memory. */
const KEPT_PLACES = 10_000;
/** A valid map takes some milliseconds. */
const TIMEOUT_MS = 10_000;
const WORKER = new URL('source-places-worker.ts', import.meta.url);

export type FindSources = (places: readonly (BuiltPlace | null)[]) => Promise<(Place | null)[]>;

/**
 * One map at a time process-wide, and none is cached. A missing, damaged or invalid map gives no result rather than an
 * error, since callers still have the location in the built file.
 */
export function createFindSources(store: Pick<ProtectedStore, 'get'>): FindSources {
  // Keyed by the maps' hash, so results never become stale. `max` would preallocate.
  const known = new LRUCache<string, { source: Place | null }>({
    maxSize: KEPT_PLACES,
    sizeCalculation: () => 1,
  });
  let turn = Promise.resolve();

  async function find(maps: string, places: readonly BuiltPlace[]): Promise<void> {
    const packed = await store.get(maps).catch(() => null);
    if (!packed || computeIntegrity(packed) !== maps) return;
    const input = { packed, places };
    const found = await runInThread<(Place | null)[]>(WORKER, input, TIMEOUT_MS).catch(() => null);
    for (const [index, place] of places.entries())
      known.set(placeKey(place), { source: found?.[index] ?? null });
  }

  return async (places) => {
    const found = turn.then(async () => {
      const unknown = places.filter((place) => place !== null).filter((place) => !known.has(placeKey(place)));
      for (const maps of new Set(unknown.map((place) => place.maps)))
        await find(
          maps,
          unknown.filter((place) => place.maps === maps),
        );
      return places.map((place) => (place && known.get(placeKey(place))?.source) ?? null);
    });
    turn = found.then(
      () => undefined,
      () => undefined,
    );
    return found;
  };
}

const placeKey = ({ maps, file, line, column }: BuiltPlace) => `${maps} ${file}:${line}:${column}`;
