import { setImmediate } from 'node:timers/promises';
import { originalPositionFor, TraceMap, type SourceMapInput } from '@jridgewell/trace-mapping';
import { LRUCache } from 'lru-cache';
import { integrityOf } from '@site/contract/integrity';
import { readSourceMaps } from '@site/contract/source-maps';
import { visibleLine } from '@site/contract/text';
import type { ProtectedStore } from '../kernel/context.ts';

/** A location in a source or built file. Lines and columns are 1-based. */
interface Place {
  file: string;
  line: number;
  column: number;
}

/** `file`: the path among the version's assets. */
export interface BuiltPlace extends Place {
  maps: string;
}

/** Cached locations of all versions. A location is small, but its source map may take 80 MB in memory. */
const KEPT_PLACES = 10_000;
const LONGEST_NAME = 300;

/** In order; null if unknown. */
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
    if (!packed || integrityOf(packed) !== maps) return;
    const mapOf = await readSourceMaps(packed).catch(() => () => null);
    for (const [file, inFile] of groupedBy(places, 'file')) {
      const map = readMap(mapOf, file);
      for (const place of inFile) known.set(keyOf(place), { source: map && placeIn(map, place) });
      // A map takes some milliseconds, and a list of faults may need many.
      await setImmediate();
    }
  }

  return async (places) => {
    const found = turn.then(async () => {
      const unknown = places.filter((place) => place !== null).filter((place) => !known.has(keyOf(place)));
      for (const [maps, inMaps] of groupedBy(unknown, 'maps')) await find(maps, inMaps);
      return places.map((place) => (place && known.get(keyOf(place))?.source) ?? null);
    });
    turn = found.then(
      () => undefined,
      () => undefined,
    );
    return found;
  };
}

function groupedBy(places: readonly BuiltPlace[], name: 'maps' | 'file'): Map<string, BuiltPlace[]> {
  const groups = new Map<string, BuiltPlace[]>();
  for (const place of places) groups.set(place[name], [...(groups.get(place[name]) ?? []), place]);
  return groups;
}

const keyOf = ({ maps, file, line, column }: BuiltPlace) => `${maps} ${file}:${line}:${column}`;

/** Untrusted: any publisher of the app can write it. */
function readMap(mapOf: (file: string) => unknown, file: string): TraceMap | null {
  try {
    const map = mapOf(file);
    return map === null ? null : new TraceMap(map as SourceMapInput);
  } catch {
    return null;
  }
}

function placeIn(map: TraceMap, { line, column }: BuiltPlace): Place | null {
  try {
    const found = originalPositionFor(map, { line, column: column - 1 });
    if (found.source === null) return null;
    const file = visibleLine(found.source).slice(0, LONGEST_NAME);
    return { file, line: found.line, column: found.column + 1 };
  } catch {
    return null;
  }
}
