import { assetUrl, type ChannelName } from '@site/contract';
import { engineByBrowser, faultKinds, type BrowserName } from '@site/contract/signals/fault';
import { DAY_MS } from '@site/server/durations';
import type { FaultGroup } from '@site/contract/registry-calls/guard.calls';
import { listFaults, type StoredFaultGroup } from './fault.repository.ts';
import { viewsByEngine } from './signal-series.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { findSourceMaps, versionName, type BuiltPlace, type FindSources } from '../versions/index.ts';
import { onlyIn } from './only-engine.ts';
import type { ByEngine } from './signal-sums.ts';

const VIEWS_MS = 7 * DAY_MS;

export async function showFaults(
  db: RegistryDb,
  findSources: FindSources,
  channel: ChannelName,
  { now, ...wanted }: Parameters<typeof listFaults>[2] & { now: Date },
): Promise<FaultGroup[]> {
  const faults = await listFaults(db, channel, wanted);
  const versions = new Map(
    faults.map(({ app, version }) => [versionName(app, version), [app, version] as const]),
  );
  const views = await viewsByEngine(db, channel, [...versions.values()], new Date(now.getTime() - VIEWS_MS));
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
    onlyIn: onlyIn(faultsByEngine(fault), views.get(versionName(fault.app, fault.version)) ?? {}),
    first: first.toISOString(),
    last: last.toISOString(),
  }));
}

/** Omits reports of the browsers themselves: engines differ in their support for them. */
function faultsByEngine({ kind, browsers }: Pick<StoredFaultGroup, 'kind' | 'browsers'>): ByEngine<number> {
  if (!(faultKinds as readonly string[]).includes(kind)) return {};
  const byEngine: ByEngine<number> = {};
  for (const { name, count: times } of browsers) {
    const engine = engineByBrowser[name as BrowserName];
    byEngine[engine] = (byEngine[engine] ?? 0) + times;
  }
  return byEngine;
}

function builtPlace(
  { app, file, line, column }: StoredFaultGroup,
  maps: string | undefined,
): BuiltPlace | null {
  const folder = assetUrl(app, '');
  if (maps === undefined || !file?.startsWith(folder) || !line || !column) return null;
  return { maps, file: file.slice(folder.length), line, column };
}
