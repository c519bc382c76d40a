import { assetUrl, type ChannelName } from '@site/contract';
import type { FaultGroup } from '@site/contract/registry-calls/guard.calls';
import { listFaults, type StoredFaultGroup } from '../database/fault.repository.ts';
import type { RegistryDb } from '../database/tables.ts';
import { findSourceMaps, versionName } from '../database/version.repository.ts';
import type { BuiltPlace, FindSources } from './source-places.ts';

/** Faults of a channel, those that were seen last first, each with its place in the sources where the version's source maps tell. */
export async function showFaults(
  db: RegistryDb,
  findSources: FindSources,
  channel: ChannelName,
  wanted: Parameters<typeof listFaults>[2],
): Promise<FaultGroup[]> {
  const faults = await listFaults(db, channel, wanted);
  const versions = new Map(
    faults.map(({ app, version }) => [versionName(app, version), [app, version] as const]),
  );
  const maps = await findSourceMaps(db, [...versions.values()]);
  const sources = await findSources(
    faults.map((fault) => builtPlace(fault, maps[versionName(fault.app, fault.version)])),
  );
  return faults.map(({ file = null, line = null, column = null, first, last, ...fault }, index) => ({
    ...fault,
    file,
    line,
    column,
    source: sources[index] ?? null,
    first: first.toISOString(),
    last: last.toISOString(),
  }));
}

function builtPlace(
  { app, file, line, column }: StoredFaultGroup,
  maps: string | undefined,
): BuiltPlace | null {
  const folder = assetUrl(app, '');
  if (maps === undefined || !file?.startsWith(folder) || !line || !column) return null;
  return { maps, file: file.slice(folder.length), line, column };
}
