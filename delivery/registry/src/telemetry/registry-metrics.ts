import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ChannelNameSchema } from '@site/contract';
import { AlertKindSchema, type AlertKind } from '@site/contract/registry-calls/alert.calls';
import { listHooks } from '../database/alert-hook.repository.ts';
import { findChannel } from '../database/channel.repository.ts';
import { listEdges } from '../database/edge.repository.ts';
import type { GuardAction } from '../database/guard-action.repository.ts';
import { listJudgements } from '../database/judgement.repository.ts';
import type { RegistryDb } from '../database/tables.ts';
import { listTroubles } from '../database/trouble.repository.ts';
import { edgeState, edgeStates } from '../domain/edge-state.ts';

/** What this process counts of its work with signals, the guard and alerts. */
export interface RegistryMetrics {
  /** An edge handed over a batch: counted now, or before. */
  batchTaken(result: 'counted' | 'repeated', ms: number): void;
  /** The guard looked at a channel. */
  guardLooked(ms: number): void;
  guardFailed(): void;
  guardDid(did: GuardAction['did']): void;
  alertSent(kind: AlertKind | 'test'): void;
  /** An attempt to deliver an alert: it will be made again. */
  alertFailed(): void;
}

const verdicts = ['good', 'bad', 'waiting'] as const;
const actions = ['acted', 'suggested', 'refused'] as const;
const alertKinds = AlertKindSchema.options;
const channels = ChannelNameSchema.options;
/** The times that changes in the database take, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What the database says of all registries and edges together. */
interface Seen {
  edges: { channel: string; state: string }[];
  verdicts: { channel: string; verdict: string }[];
  troubles: { kind: string }[];
  alerts: { waiting: number; dropped: number; failing: number };
}

/** A value of a gauge. */
interface Sample<Label extends string> {
  labels: Partial<Record<Label, string>>;
  value: number;
}

/**
 * The registry's counters, in the text format that Prometheus reads. Every label has one of a few values: no names of apps, edges or
 * hooks, which others may choose. Gauges are of the whole site, read from the database when somebody asks for them: several registries over one
 * database tell the same.
 */
export function createRegistryMetrics({ db, now }: { db: RegistryDb; now: () => Date }): RegistryMetrics & {
  registry: Registry;
} {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter<Label>({ name: `site_registry_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string) =>
    new Histogram({ name: `site_registry_${name}`, help, buckets, registers });

  const batches = counter('signal_batches_total', 'Batches of edges, by what became of them.', ['result']);
  const batchSeconds = histogram(
    'signal_batch_seconds',
    'Time to count a batch of an edge and to judge by it.',
  );
  const lookSeconds = histogram('guard_look_seconds', 'Time that the guard took to look at a channel.');
  const failures = counter('guard_failures_total', 'Looks of the guard that did not come to their end.');
  const done = counter('guard_actions_total', 'What the guard did, suggested, or was refused.', ['did']);
  const sent = counter('alerts_sent_total', 'Alerts that a receiver took.', ['kind']);
  const failed = counter(
    'alert_attempts_failed_total',
    'Attempts to deliver an alert that a receiver did not take.',
  );
  // What has not happened yet is 0, and not unknown.
  for (const result of ['counted', 'repeated']) batches.inc({ result }, 0);
  for (const did of actions) done.inc({ did }, 0);
  for (const kind of [...alertKinds, 'test']) sent.inc({ kind }, 0);

  const count = <T>(items: readonly T[], is: (one: T) => boolean) => items.filter(is).length;

  async function look(): Promise<Seen> {
    const at = now();
    const [hooks, troubles, ...ofChannels] = await Promise.all([
      listHooks(db),
      listTroubles(db),
      ...channels.map(async (channel) => {
        const snapshot = await findChannel(db, channel);
        const edges = await listEdges(db, channel);
        const judgements = await listJudgements(db, channel);
        return {
          edges: edges.map((edge) => ({ channel, state: edgeState(edge, snapshot, at) })),
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

  // All gauges of one answer, and all who ask at once, have what was seen at once.
  let looking: Promise<Seen | null> | null = null;
  const seen = () =>
    (looking ??= look()
      .catch(() => null)
      .finally(() => (looking = null)));

  /** @param read null: nothing is known while the database is away. */
  function gauge<Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[],
    read: (seen: Seen | null) => Sample<Label>[],
  ): void {
    new Gauge<Label>({
      name: `site_registry_${name}`,
      help,
      labelNames,
      registers,
      async collect() {
        const values = read(await seen());
        this.reset();
        // Without labels that says 0, and not that nothing is known.
        if (labelNames.length === 0) this.remove();
        for (const { labels, value } of values) this.set(labels, value);
      },
    });
  }
  gauge('database_up', 'Whether the database answered (1) or not (0).', [], (all) => [
    { labels: {}, value: all ? 1 : 0 },
  ]);
  gauge('edges', 'Edges of a channel, by what they serve.', ['channel', 'state'], (all) =>
    !all
      ? []
      : channels.flatMap((channel) =>
          edgeStates.map((state) => ({
            labels: { channel, state },
            value: count(all.edges, (edge) => edge.channel === channel && edge.state === state),
          })),
        ),
  );
  gauge('guard_verdicts', 'Versions that are looked at, by verdict.', ['channel', 'verdict'], (all) =>
    !all
      ? []
      : channels.flatMap((channel) =>
          verdicts.map((verdict) => ({
            labels: { channel, verdict },
            value: count(all.verdicts, (one) => one.channel === channel && one.verdict === verdict),
          })),
        ),
  );
  gauge('troubles', 'Troubles that were reported and are not over, by kind.', ['kind'], (all) =>
    !all
      ? []
      : alertKinds
          .filter((kind) => !(actions as readonly string[]).includes(kind))
          .map((kind) => ({
            labels: { kind },
            value: count(all.troubles, (trouble) => trouble.kind === kind),
          })),
  );
  gauge('alerts_waiting', 'Alerts that were not delivered yet.', [], (all) =>
    all ? [{ labels: {}, value: all.alerts.waiting }] : [],
  );
  gauge('alert_hooks_failing', 'Hooks whose last delivery failed.', [], (all) =>
    all ? [{ labels: {}, value: all.alerts.failing }] : [],
  );
  gauge('alerts_given_up', 'Alerts that were given up, of the hooks that there are.', [], (all) =>
    all ? [{ labels: {}, value: all.alerts.dropped }] : [],
  );

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
