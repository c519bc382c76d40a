import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The edge's counters, in the text format that Prometheus reads. */
export interface EdgeMetrics {
  /** `kind` is what was answered: document, asset, redirect … */
  answered(kind: string, status: number, bytes: number): void;
  /** How long an answer took, from the request's head to the last byte handed over. */
  took(ms: number): void;
  /** A document was served to a visitor of the live release, of a canary or of a preview. */
  documentShown(cohort: string): void;
  /** A browser opened a document. Monitors, crawlers and prefetches are none. */
  documentOpened(): void;
  releaseSwapped(id: string): void;
  canaryIs(canary: { release: string; share: number } | null): void;
  releaseRefused(): void;
  /** A connection was turned away because there were too many. */
  connectionDropped(): void;
  /** An answer was cut off because its reader was too slow. */
  answerCut(): void;
  signalTaken(kind: string): void;
  signalDropped(reason: string): void;
  /** Sums of what browsers told were handed to the registry, or could not be. */
  signalsHandedOver(result: HandOverResult): void;
  text(): Promise<string>;
}

/** Of reports: see `ReportSchema`, and what browsers report by themselves. */
const signalKinds = ['outcome', 'vitals', 'form', 'faults', 'browser'];
const handOverResults = ['taken', 'failed'] as const;
type HandOverResult = (typeof handOverResults)[number];

/** Upper bounds in seconds: answers come from memory, so most are in the first. */
const buckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10];

/** @param connections how many are open. */
export function createEdgeMetrics(connections: () => number = () => 0): EdgeMetrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `site_edge_${name}`, help, labelNames, registers });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `site_edge_${name}`, help, labelNames, registers });

  const answers = counter('responses_total', 'Answers by what was asked for and status.', ['kind', 'status']);
  const documents = counter('documents_total', 'Documents by kind of visitor.', ['cohort']);
  const navigations = counter('navigations_total', 'Documents that browsers opened.');
  const bodyBytes = counter('response_bytes_total', 'Bytes of bodies sent.');
  const durations = new Histogram({
    name: 'site_edge_response_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    buckets,
    registers,
  });
  const swaps = counter('release_swaps_total', 'Releases that this process has started to serve.');
  const refusals = counter('release_refusals_total', 'Attempts to load a release that failed.');
  const open = gauge('connections', 'Connections that are open.');
  const drops = counter('connections_dropped_total', 'Connections turned away: too many at once.');
  const cuts = counter('answers_cut_total', 'Answers cut off because their reader was too slow.');
  const release = gauge('release', 'The live release served now.', ['release']);
  const share = gauge('canary_share', 'The canary served now, and the percentage of visitors it is for.', [
    'release',
  ]);
  const signals = counter('signals_total', 'Reports of browsers that were counted, by kind.', ['kind']);
  // What has not happened yet is 0, and not unknown.
  for (const kind of signalKinds) signals.inc({ kind }, 0);
  const dropped = counter('signals_dropped_total', 'Reports of browsers that were not counted, by reason.', [
    'reason',
  ]);
  // Alerts watch these.
  for (const reason of ['full', 'network']) dropped.inc({ reason }, 0);
  const batches = counter('signal_batches_total', 'Batches of sums sent to the registry, by result.', [
    'result',
  ]);
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
    canaryIs(canary) {
      share.reset();
      if (canary) share.set({ release: canary.release }, canary.share);
    },
    releaseRefused: () => refusals.inc(),
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
