/** Where the visitor had scrolled to, by history entry, for as long as the tab lives. */
export interface ScrollMemory {
  save(key: string, y: number): void;
  find(key: string): number | undefined;
}

const storageKey = 'scroll-positions';
/** Older entries are forgotten first. */
const MAX_ENTRIES = 100;

/**
 * Keeps positions in the session storage, so that a reload finds them; without it, in memory. A tab has several documents, which the
 * back/forward cache keeps alive: each reads what the others have stored before it writes.
 */
export function createScrollMemory(storage: Pick<Storage, 'getItem' | 'setItem'> | null): ScrollMemory {
  /** Only positions that could not be stored. */
  let unstored = new Map<string, number>();
  return {
    find: (key) => unstored.get(key) ?? new Map(read(storage)).get(key),
    save(key, y) {
      const positions = new Map([...read(storage), ...unstored]);
      positions.delete(key);
      positions.set(key, y);
      for (const oldest of positions.keys()) {
        if (positions.size <= MAX_ENTRIES) break;
        positions.delete(oldest);
      }
      unstored = storePositions(storage, positions) ? new Map<string, number>() : positions;
    },
  };
}

/** @returns false where storage is full or forbidden. */
function storePositions(storage: Pick<Storage, 'setItem'> | null, positions: Map<string, number>): boolean {
  try {
    storage?.setItem(storageKey, JSON.stringify([...positions]));
    return storage !== null;
  } catch {
    return false;
  }
}

function read(storage: Pick<Storage, 'getItem'> | null): [string, number][] {
  try {
    const parsed: unknown = JSON.parse(storage?.getItem(storageKey) ?? '[]');
    return Array.isArray(parsed) ? (parsed as [string, number][]) : [];
  } catch {
    return [];
  }
}
