import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CanaryShare } from '@site/contract';

export interface EdgeMetrics {
  answered(kind: string, status: number, bytes: number): void;
  took(ms: number): void;
  documentShown(cohort: string): void;
  /** Excludes monitors, crawlers and prefetches. */
  documentOpened(): void;
  releaseSwapped(id: string): void;
  canariesAre(canaries: readonly CanaryShare[]): void;
  releaseRefused(): void;
  /** A restart without the store would fail. */
  cacheIsIncomplete(is: boolean): void;
  connectionDropped(): void;
  answerCut(): void;
  signalTaken(kind: string): void;
  signalDropped(reason: string): void;
  signalsHandedOver(result: HandOverResult): void;
  text(): Promise<string>;
}

const signalKinds = ['outcome', 'vitals', 'form', 'faults', 'browser'];
const handOverResults = ['taken', 'failed'] as const;
type HandOverResult = (typeof handOverResults)[number];

/** Upper bounds in seconds. Responses come from memory, so most are in the first bucket. */
const buckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10];

export function createEdgeMetrics(connections: () => number = () => 0): EdgeMetrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `site_edge_${name}`, help, labelNames, registers });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `site_edge_${name}`, help, labelNames, registers });

  const answers = counter('responses_total', 'Responses by kind of route and status.', ['kind', 'status']);
  const documents = counter('documents_total', 'Documents by kind of visitor.', ['cohort']);
  const navigations = counter('navigations_total', 'Documents that browsers opened.');
  const bodyBytes = counter('response_bytes_total', 'Bytes of bodies sent.');
  const durations = new Histogram({
    name: 'site_edge_response_seconds',
    help: 'Time from the head of a request to the end of its response.',
    buckets,
    registers,
  });
  const swaps = counter('release_swaps_total', 'Releases that this process has started to serve.');
  const refusals = counter('release_refusals_total', 'Attempts to load a release that failed.');
  const incomplete = gauge('cache_incomplete', '1 if the live release does not fit on the local disk.');
  const open = gauge('connections', 'Connections that are open.');
  const drops = counter('connections_dropped_total', 'Connections rejected because of the connection limit.');
  const cuts = counter('answers_cut_total', 'Responses aborted because their reader was too slow.');
  const release = gauge('release', 'The live release served now.', ['release']);
  const share = gauge('canary_share', 'The canaries served now, and the percentage of visitors of each.', [
    'release',
    'app',
  ]);
  const signals = counter('signals_total', 'Reports of browsers that were counted, by kind.', ['kind']);
  // So that the series is not absent.
  for (const kind of signalKinds) signals.inc({ kind }, 0);
  const dropped = counter('signals_dropped_total', 'Reports of browsers that were not counted, by reason.', [
    'reason',
  ]);
  // Alerts use these.
  for (const reason of ['full', 'network']) dropped.inc({ reason }, 0);
  const batches = counter(
    'signal_batches_total',
    'Batches of aggregated signals sent to the registry, by result.',
    ['result'],
  );
  for (const result of handOverResults) batches.inc({ result }, 0);
  const memory = gauge('resident_memory_bytes', 'Resident memory of the process.');

  return {
    answered(kind, status, bytes) {
      answers.inc({ kind, status });
      bodyBytes.inc(bytes);
    },
    took: (ms) => durations.observe(ms / 1000),
    documentShown: (cohort) => documents.inc({ cohort }),
    documentOpened: () => navigations.inc(),
    releaseSwapped(id) {
      swaps.inc();
      release.reset();
      release.set({ release: id }, 1);
    },
    canariesAre(canaries) {
      share.reset();
      for (const { release, app, share: percent } of canaries) share.set({ release, app }, percent);
    },
    releaseRefused: () => refusals.inc(),
    cacheIsIncomplete: (is) => incomplete.set(is ? 1 : 0),
    connectionDropped: () => drops.inc(),
    answerCut: () => cuts.inc(),
    signalTaken: (kind) => signals.inc({ kind }),
    signalDropped: (reason) => dropped.inc({ reason }),
    signalsHandedOver: (result) => batches.inc({ result }),
    text() {
      open.set(connections());
      memory.set(process.memoryUsage.rss());
      return registry.metrics();
    },
  };
}
