import type { ChannelName } from '@site/contract';
import type { Standing } from '@site/contract/registry-calls/guard.calls';
import { listJudgements } from './judgement.repository.ts';
import { listStandings } from './standing.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { versionName, type VersionPair } from '../versions/version.repository.ts';

/**
 * Each version's track record, by `<app>@<version>`: the current verdict while it is judged, otherwise the recorded
 * one.
 */
export async function readStandings(
  db: RegistryDb,
  channel: ChannelName,
  versions: readonly VersionPair[],
): Promise<ReadonlyMap<string, Standing>> {
  const found = new Map<string, Standing>();
  if (versions.length === 0) return found;
  for (const { app, version, evidence, at } of await listStandings(db, channel, versions)) {
    found.set(versionName(app, version), { verdict: 'good', since: at.toISOString(), proven: evidence });
  }
  for (const { app, version, verdict, since } of await listJudgements(db, channel)) {
    const name = versionName(app, version);
    const proven = found.get(name)?.proven ?? null;
    // "waiting" does not override an earlier result.
    if (verdict.is === 'waiting' && proven !== null) continue;
    found.set(name, {
      verdict: verdict.is,
      since: since.toISOString(),
      proven: verdict.is === 'bad' ? null : proven,
    });
  }
  return found;
}
