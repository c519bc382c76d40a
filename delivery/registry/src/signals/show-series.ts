import type { ChannelName } from '@site/contract';
import type { HealthPoint } from '@site/contract/registry-calls/view.calls';
import { readSeries } from './signal-series.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { healthPoint } from './health.ts';
import type { SignalSums } from './signal-sums.ts';
import { MINUTE_MS } from '@site/server/durations';

interface Line {
  version: string;
  canary: boolean;
  points: HealthPoint[];
}

export async function showSeries(
  db: RegistryDb,
  channel: ChannelName,
  wanted: { app: string; versions: readonly string[] | undefined; from: Date },
  now: Date,
): Promise<{ everyMinutes: number; rows: Line[] }> {
  const { everyMs, rows } = await readSeries(db, channel, wanted, now);
  const lines = new Map<string, { version: string; canary: boolean; times: Map<number, SignalSums[]> }>();
  for (const { version, role, at, sums } of rows) {
    const key = `${role} ${version}`;
    const line = lines.get(key) ?? {
      version,
      canary: role === 'canary',
      times: new Map<number, SignalSums[]>(),
    };
    lines.set(key, line);
    line.times.set(at.getTime(), [...(line.times.get(at.getTime()) ?? []), sums]);
  }
  return {
    everyMinutes: everyMs / MINUTE_MS,
    rows: [...lines.values()].toSorted(byVersion).map(({ version, canary, times }) => ({
      version,
      canary,
      points: [...times].map(([time, sums]) => healthPoint(new Date(time), sums)),
    })),
  };
}

function byVersion(a: Pick<Line, 'version' | 'canary'>, b: Pick<Line, 'version' | 'canary'>): number {
  if (a.version !== b.version) return a.version < b.version ? -1 : 1;
  return Number(a.canary) - Number(b.canary);
}
