import { parentPort, workerData } from 'node:worker_threads';
import { originalPositionFor, TraceMap, type SourceMapInput } from '@jridgewell/trace-mapping';
import { readSourceMaps } from '@site/contract/source-maps';
import { visibleLine } from '@site/contract/text';
import type { BuiltPlace, Place } from './source-places.ts';

const LONGEST_NAME = 300;

const { packed, places } = workerData as { packed: Uint8Array; places: BuiltPlace[] };
const findMap = await readSourceMaps(Buffer.from(packed)).catch(() => () => null);
const maps = new Map<string, TraceMap | null>();
for (const { file } of places) if (!maps.has(file)) maps.set(file, readMap(findMap, file));
parentPort?.postMessage(
  places.map((place) => {
    const map = maps.get(place.file);
    return map ? placeIn(map, place) : null;
  }),
);

/** Untrusted: any publisher of the app can write it. */
function readMap(findMap: (file: string) => unknown, file: string): TraceMap | null {
  try {
    const map = findMap(file);
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
