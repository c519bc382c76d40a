import { NETWORK_BITS } from '@site/contract/signals/sums.schema';

export function networksIn(bitmap = ''): string[] {
  const bytes = Buffer.from(bitmap, 'base64');
  const found: string[] = [];
  for (const [index, byte] of bytes.entries())
    for (let bit = 0; byte >> bit > 0; bit++) if ((byte >> bit) & 1) found.push(String(index * 8 + bit));
  return found;
}

export function joinNetworks(bitmaps: readonly string[]): string {
  const joined = Buffer.alloc(NETWORK_BITS / 8);
  for (const bitmap of bitmaps)
    for (const [index, byte] of Buffer.from(bitmap, 'base64').entries())
      joined[index] = (joined[index] ?? 0) | byte;
  return joined.toString('base64');
}
