import { randomBytes } from 'node:crypto';

/** Small counts (up to 65,535) of many keys in bounded memory. */
export interface HashedCounts {
  get(key: string): number;
  set(key: string, count: number): boolean;
  hasRoom(): boolean;
  clear(): void;
}

/** Maximum load factor; probing gets slow above it. */
const FULL = 0.75;

/**
 * A hash table of ten bytes per slot, independent of the keys and with nothing for the garbage collector to trace. A
 * key is identified by 64 bits of its hash: with a million keys, a collision occurs in one of 30 million tables. The
 * hash is fast and not cryptographic; its salt is secret, so clients cannot choose colliding keys.
 *
 * @param most capacity in keys, with up to 27 bytes each; allocated on first use.
 */
export function createHashedCounts(most: number): HashedCounts {
  const slots = 2 ** Math.ceil(Math.log2(most / FULL));
  const salt = randomBytes(8);
  let table: { hashes: Uint32Array; counts: Uint16Array } | null = null;
  let size = 0;

  function find({ hashes, counts }: NonNullable<typeof table>, key: string) {
    const { low, high } = hashKey(key, salt);
    let slot = low % slots;
    while (counts[slot] !== 0 && (hashes[2 * slot] !== low || hashes[2 * slot + 1] !== high))
      slot = (slot + 1) % slots;
    return { slot, low, high, count: counts[slot] ?? 0 };
  }

  return {
    get: (key) => (table && size > 0 ? find(table, key).count : 0),
    set(key, count) {
      table ??= { hashes: new Uint32Array(2 * slots), counts: new Uint16Array(slots) };
      const { slot, low, high, count: known } = find(table, key);
      if (known === 0) {
        if (size >= most) return false;
        size += 1;
        table.hashes.set([low, high], 2 * slot);
      }
      table.counts[slot] = count;
      return true;
    },
    hasRoom: () => size < most,
    clear() {
      if (size > 0) table?.counts.fill(0);
      size = 0;
    },
  };
}

/** @see https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js */
function hashKey(key: string, salt: Buffer): { low: number; high: number } {
  let low = salt.readUInt32LE(0);
  let high = salt.readUInt32LE(4);
  for (let index = 0; index < key.length; index += 1) {
    const character = key.charCodeAt(index);
    low = Math.imul(low ^ character, 0x9e3779b1);
    high = Math.imul(high ^ character, 0x5f356495);
  }
  low = mixed(low) ^ mixed(high + 1);
  high = mixed(high) ^ low;
  return { low: low >>> 0, high: high >>> 0 };
}

/** The finalizer of MurmurHash3. */
function mixed(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
