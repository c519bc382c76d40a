import { setImmediate } from 'node:timers/promises';
import { originalPositionFor, TraceMap, type SourceMapInput } from '@jridgewell/trace-mapping';
import { LRUCache } from 'lru-cache';
import { integrityOf } from '@site/contract/integrity-of';
import { readSourceMaps } from '@site/contract/source-maps';
import { visibleLine } from '@site/contract/visible-text';
import type { ProtectedStore } from './context.ts';

/** A place in a file: of the repository, or as it was built. Lines and columns count from 1. */
interface Place {
  file: string;
  line: number;
  column: number;
}

/** A place in a script of a version. `file`: its path among the version's assets. */
export interface BuiltPlace extends Place {
  /** The blob with the version's source maps. */
  maps: string;
}

/** How many are remembered, of all versions together. A place is small, while the map that it is found by may take 80 MB in memory. */
const KEPT_PLACES = 10_000;
const LONGEST_NAME = 300;

/** Finds where in the sources places of built scripts lie: one after the other as they were asked for, null where nothing tells. */
export type FindSources = (places: readonly (BuiltPlace | null)[]) => Promise<(Place | null)[]>;

/**
 * Reads source maps: one at a time, whoever asks, and none is kept. A map that is missing, damaged or not a source map finds nothing,
 * which is not an error: the caller still has the place in the built file.
 */
export function createFindSources(store: Pick<ProtectedStore, 'get'>): FindSources {
  // By the hash of the maps: what was found once stays right. `max` would take the room for all of them beforehand.
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
      // One map takes some milliseconds, a list of faults may need many.
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

/** A publisher of the app wrote it: it may be anything. */
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
