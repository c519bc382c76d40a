/** Where the visitor had scrolled to, by history entry, for as long as the tab lives. */
export interface ScrollMemory {
  save(key: string, y: number): void;
  find(key: string): number | undefined;
}

const storageKey = 'scroll-positions';
/** Older entries are forgotten first. */
const MAX_ENTRIES = 100;

/** Keeps positions in the session storage, so that a reload finds them; without it, in memory. */
export function createScrollMemory(storage: Pick<Storage, 'getItem' | 'setItem'> | null): ScrollMemory {
  const positions = new Map(read(storage));
  return {
    find: (key) => positions.get(key),
    save(key, y) {
      positions.delete(key);
      positions.set(key, y);
      for (const oldest of positions.keys()) {
        if (positions.size <= MAX_ENTRIES) break;
        positions.delete(oldest);
      }
      try {
        storage?.setItem(storageKey, JSON.stringify([...positions]));
      } catch {
        // storage is full or forbidden: the positions live as long as the page
      }
    },
  };
}

function read(storage: Pick<Storage, 'getItem'> | null): [string, number][] {
  try {
    const parsed: unknown = JSON.parse(storage?.getItem(storageKey) ?? '[]');
    return Array.isArray(parsed) ? (parsed as [string, number][]) : [];
  } catch {
    return [];
  }
}
