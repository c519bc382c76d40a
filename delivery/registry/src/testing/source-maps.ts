import { computeIntegrity } from '@site/contract/integrity';
import { packSourceMaps } from '@site/contract/source-maps';
import type { FileEntry } from '@site/contract';

/** Maps the third line of a script, from column 14 on, to `source`:12:5. */
export const mapTo = (source: string) =>
  JSON.stringify({ version: 3, sources: [source], names: [], mappings: ';;aAWI' });

/** A version's source maps as made by a build, and as named by its manifest. */
export async function packMaps(
  maps: Record<string, string>,
): Promise<{ bytes: Buffer; sourceMaps: FileEntry }> {
  const bytes = await packSourceMaps(new Map(Object.entries(maps)));
  if (!bytes) throw new Error('These source maps are not packed.');
  return { bytes, sourceMaps: named(bytes) };
}

export const named = (bytes: Buffer): FileEntry => ({
  path: 'source-maps.gz',
  size: bytes.length,
  integrity: computeIntegrity(bytes),
});
