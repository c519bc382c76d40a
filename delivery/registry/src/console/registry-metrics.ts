import { isReadOnly } from '@site/server/read-only';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ChannelNameSchema } from '@site/contract';
import { AlertKindSchema, type AlertKind } from '@site/contract/registry-calls/alert.calls';
import { listHooks, listTroubles } from '../alerts/index.ts';
import { findChannel } from '../channels/index.ts';
import { listEdges, edgeState, edgeStates } from '../edges/index.ts';
import type { GuardAction } from '../guard/index.ts';
import { listJudgements } from '../signals/index.ts';
import type { DatabaseClock } from '../kernel/database-clock.ts';
import type { RegistryDb } from '../kernel/tables.ts';

export interface RegistryMetrics {
  batchTaken(result: 'counted' | 'repeated', ms: number): void;
  guardLooked(ms: number): void;
  guardFailed(): void;
  guardDid(did: GuardAction['did']): void;
  alertSent(kind: AlertKind | 'test'): void;
  alertFailed(): void;
}

const verdicts = ['good', 'bad', 'waiting'] as const;
const actions = ['acted', 'suggested', 'refused'] as const;
const alertKinds = AlertKindSchema.options;
const channels = ChannelNameSchema.options;
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Seen {
  edges: { channel: string; state: string; clockSkewMs: number }[];
  verdicts: { channel: string; verdict: string }[];
  troubles: { kind: string }[];
  alerts: { waiting: number; dropped: number; failing: number };
}

interface Sample<Label extends string> {
  labels: Partial<Record<Label, string>>;
  value: number;
}

/**
 * Labels have few fixed values: no names of apps, edges or hooks, which others can choose. Gauges are read from the
 * database on each scrape, so they are identical on every registry.
 */
export function createRegistryMetrics({
  db,
  now,
  clock,
}: {
  db: RegistryDb;
  now: () => Date;
  clock: Pick<DatabaseClock, 'skewMs'>;
}): RegistryMetrics & { registry: Registry } {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter<Label>({ name: `site_registry_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string) =>
    new Histogram({ name: `site_registry_${name}`, help, buckets, registers });

  const batches = counter('signal_batches_total', 'Signal batches from edges, by result.', ['result']);
  const batchSeconds = histogram('signal_batch_seconds', 'Time to count a signal batch and update verdicts.');
  const lookSeconds = histogram('guard_look_seconds', "Duration of the guard's check of a channel.");
  const failures = counter('guard_failures_total', 'Failed checks of the guard.');
  const done = counter('guard_actions_total', 'Actions of the guard, by result.', ['did']);
  const sent = counter('alerts_sent_total', 'Alerts delivered.', ['kind']);
  const failed = counter('alert_attempts_failed_total', 'Failed attempts to deliver an alert.');
  // Initializes the series to 0, so that it is not absent.
  for (const result of ['counted', 'repeated']) batches.inc({ result }, 0);
  for (const did of actions) done.inc({ did }, 0);
  for (const kind of [...alertKinds, 'test']) sent.inc({ kind }, 0);

  const count = <T>(items: readonly T[], is: (one: T) => boolean) => items.filter(is).length;

  async function readSnapshot(): Promise<Seen | null> {
    if (await isReadOnly(db)) return null;
    const at = now();
    const [hooks, troubles, ...ofChannels] = await Promise.all([
      listHooks(db),
      listTroubles(db),
      ...channels.map(async (channel) => {
        const snapshot = await findChannel(db, channel);
        const edges = await listEdges(db, channel);
        const judgements = await listJudgements(db, channel);
        return {
          edges: edges.map((edge) => ({
            channel,
            state: edgeState(edge, snapshot, at),
            clockSkewMs: edge.clockSkewMs ?? 0,
          })),
          verdicts: judgements.map(({ verdict }) => ({ channel, verdict: verdict.is })),
        };
      }),
    ]);
    return {
      edges: ofChannels.flatMap(({ edges }) => edges),
      verdicts: ofChannels.flatMap((one) => one.verdicts),
      troubles,
      alerts: {
        waiting: hooks.reduce((sum, { waiting }) => sum + waiting, 0),
        dropped: hooks.reduce((sum, { dropped }) => sum + dropped, 0),
        failing: count(hooks, ({ failures }) => failures > 0),
      },
    };
  }

  // One snapshot for all gauges of a scrape and for concurrent scrapes.
  let reading: Promise<Seen | null> | null = null;
  const seen = () =>
    (reading ??= readSnapshot()
      .catch(() => null)
      .finally(() => (reading = null)));

  /** Absent while the database is down or read-only. */
  function gauge<Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[],
    read: (seen: Seen) => Sample<Label>[],
  ): void {
    new Gauge<Label>({
      name: `site_registry_${name}`,
      help,
      labelNames,
      registers,
      async collect() {
        const found = await seen();
        this.reset();
        // Without labels, an unset gauge would report 0 rather than be absent.
        if (labelNames.length === 0) this.remove();
        if (found) for (const { labels, value } of read(found)) this.set(labels, value);
      },
    });
  }
  new Gauge({
    name: 'site_registry_database_up',
    help: 'Whether the database answers and is writable (1) or not (0).',
    registers,
    async collect() {
      this.set((await seen()) ? 1 : 0);
    },
  });
  gauge('edges', 'Edges of a channel, by what they serve.', ['channel', 'state'], (all) =>
    channels.flatMap((channel) =>
      edgeStates.map((state) => ({
        labels: { channel, state },
        value: count(all.edges, (edge) => edge.channel === channel && edge.state === state),
      })),
    ),
  );
  gauge('clock_skew_seconds', "Largest difference from the database's clock.", ['of'], (all) => {
    const seconds = (skews: number[]) => Math.max(0, ...skews.map(Math.abs)) / 1_000;
    const edges = all.edges.filter(({ state }) => state !== 'silent');
    return [
      { labels: { of: 'edges' }, value: seconds(edges.map(({ clockSkewMs }) => clockSkewMs)) },
      { labels: { of: 'registry' }, value: seconds([clock.skewMs()]) },
    ];
  });
  gauge('guard_verdicts', 'Watched versions, by verdict.', ['channel', 'verdict'], (all) =>
    channels.flatMap((channel) =>
      verdicts.map((verdict) => ({
        labels: { channel, verdict },
        value: count(all.verdicts, (one) => one.channel === channel && one.verdict === verdict),
      })),
    ),
  );
  gauge('troubles', 'Open problems that were reported, by kind.', ['kind'], (all) =>
    alertKinds
      .filter((kind) => ![...actions, 'rollback'].includes(kind))
      .map((kind) => ({ labels: { kind }, value: count(all.troubles, (trouble) => trouble.kind === kind) })),
  );
  gauge('alerts_waiting', 'Alerts that were not delivered yet.', [], (all) => [
    { labels: {}, value: all.alerts.waiting },
  ]);
  gauge('alert_hooks_failing', 'Hooks whose last delivery failed.', [], (all) => [
    { labels: {}, value: all.alerts.failing },
  ]);
  gauge('alerts_given_up', 'Alerts dropped, of existing hooks.', [], (all) => [
    { labels: {}, value: all.alerts.dropped },
  ]);

  return {
    registry,
    batchTaken(result, ms) {
      batches.inc({ result });
      batchSeconds.observe(ms / 1_000);
    },
    guardLooked: (ms) => lookSeconds.observe(ms / 1_000),
    guardFailed: () => failures.inc(),
    guardDid: (did) => done.inc({ did }),
    alertSent: (kind) => sent.inc({ kind }),
    alertFailed: () => failed.inc(),
  };
}
