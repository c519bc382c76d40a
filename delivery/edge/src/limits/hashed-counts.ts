import { randomBytes } from 'node:crypto';

/** Small counts (up to 65,535) of many keys, in little memory that is bounded. */
export interface HashedCounts {
  /** 0 for a key that is not known. */
  get(key: string): number;
  /** @param count at least 1. @returns false when there is no room for another key. */
  set(key: string, count: number): boolean;
  /** Whether another key fits. */
  hasRoom(): boolean;
  clear(): void;
}

/** A part of the table stays free, or looking for a key would take long. */
const FULL = 0.75;

/**
 * A table of hashes: ten bytes a slot, whatever the keys are, and nothing for the garbage collector to walk through. A key is known by
 * 64 bits of its hash: of a million keys two are taken for one in one of 30 million tables. The hash is a quick one, and no secret; its
 * salt is, so nobody outside can choose keys that come together.
 *
 * @param most room for at least this many keys, with up to 27 bytes of memory for each; allocated with the first one.
 */
export function createHashedCounts(most: number): HashedCounts {
  const slots = 2 ** Math.ceil(Math.log2(most / FULL));
  const salt = randomBytes(8);
  let table: { hashes: Uint32Array; counts: Uint16Array } | null = null;
  let size = 0;

  /** Where a key is, or would be. */
  function find({ hashes, counts }: NonNullable<typeof table>, key: string) {
    const { low, high } = hashOf(key, salt);
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

/** Two products of the characters, mixed at the end. @see https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js */
function hashOf(key: string, salt: Buffer): { low: number; high: number } {
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

/** The last step of MurmurHash3: each bit of the number changes about half of the bits that come out. */
function mixed(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
