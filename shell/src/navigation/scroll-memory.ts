export interface ScrollMemory {
  save(key: string, y: number): void;
  find(key: string): number | undefined;
}

const storageKey = 'scroll-positions';
/** The oldest entries are dropped first. */
const MAX_ENTRIES = 100;

/**
 * Stores positions in session storage to survive a reload, or else in memory. A tab has several documents in the
 * back/forward cache: each one reads the others' positions before it writes.
 */
export function createScrollMemory(storage: Pick<Storage, 'getItem' | 'setItem'> | null): ScrollMemory {
  /** Only positions that storage rejected. */
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

/** @returns false if storage is full or denied. */
function storePositions(storage: Pick<Storage, 'setItem'> | null, positions: Map<string, number>): boolean {
  try {
    storage?.setItem(storageKey, JSON.stringify([...positions]));
    return storage !== null;
  } catch {
    return false;
  }
}

function isPosition(entry: unknown): entry is [string, number] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && Number.isFinite(entry[1]);
}

function read(storage: Pick<Storage, 'getItem'> | null): [string, number][] {
  try {
    const parsed: unknown = JSON.parse(storage?.getItem(storageKey) ?? '[]');
    // A previous site on this domain may have used the same key.
    return Array.isArray(parsed) ? parsed.filter(isPosition) : [];
  } catch {
    return [];
  }
}
