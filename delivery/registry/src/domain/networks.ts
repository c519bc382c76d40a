import { NETWORK_BITS } from '@site/contract/signals/sums.schema';

/** The bits that are set in a bitmap of networks (base64, or nothing), by their numbers. */
export function networksIn(bitmap = ''): string[] {
  return [...Buffer.from(bitmap, 'base64')].flatMap((byte, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => ((byte >> bit) & 1 ? [String(index * 8 + bit)] : [])),
  );
}

/** All networks of several bitmaps. */
export function joinNetworks(bitmaps: readonly string[]): string {
  const joined = Buffer.alloc(NETWORK_BITS / 8);
  for (const bitmap of bitmaps)
    for (const [index, byte] of Buffer.from(bitmap, 'base64').entries())
      joined[index] = (joined[index] ?? 0) | byte;
  return joined.toString('base64');
}
