/** The edge's counters, in the text format that Prometheus reads. */
export interface EdgeMetrics {
  /** `kind` is what was answered: document, asset, redirect … */
  answered(kind: string, status: number, bytes: number): void;
  /** How long an answer took, from the request's head to the last byte handed over. */
  took(ms: number): void;
  /** A document was served to a visitor of the stable release, of a canary or of a preview. */
  documentShown(cohort: string): void;
  releaseSwapped(id: string): void;
  candidateIs(candidate: { release: string; share: number } | null): void;
  releaseRefused(): void;
  /** A connection was turned away because there were too many. */
  connectionDropped(): void;
  /** An answer was cut off because its reader was too slow. */
  answerCut(): void;
  text(): string;
}

/** Upper bounds in seconds: answers come from memory, so most are in the first. */
const bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10];

/** @param connections how many are open. */
export function createEdgeMetrics(connections: () => number = () => 0): EdgeMetrics {
  const answers = new Map<string, number>();
  const documents = new Map<string, number>();
  const durations = bounds.map(() => 0);
  let longer = 0;
  let seconds = 0;
  let bytes = 0;
  let swaps = 0;
  let refusals = 0;
  let drops = 0;
  let cuts = 0;
  let release = '';
  let candidate: { release: string; share: number } | null = null;

  const increase = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

  function* durationLines(): Generator<string> {
    let sum = 0;
    for (const [index, bound] of bounds.entries()) {
      sum += durations[index] ?? 0;
      yield `site_edge_response_seconds_bucket{le="${bound}"} ${sum}`;
    }
    yield `site_edge_response_seconds_bucket{le="+Inf"} ${sum + longer}`;
    yield `site_edge_response_seconds_sum ${seconds}`;
    yield `site_edge_response_seconds_count ${sum + longer}`;
  }

  return {
    answered(kind, status, sent) {
      increase(answers, `kind="${kind}",status="${status}"`);
      bytes += sent;
    },
    took(ms) {
      seconds += ms / 1000;
      const index = bounds.findIndex((bound) => ms / 1000 <= bound);
      if (index === -1) longer += 1;
      else durations[index] = (durations[index] ?? 0) + 1;
    },
    documentShown: (cohort) => void increase(documents, `cohort="${cohort}"`),
    releaseSwapped(id) {
      swaps += 1;
      release = id;
    },
    candidateIs: (next) => void (candidate = next),
    releaseRefused: () => void (refusals += 1),
    connectionDropped: () => void (drops += 1),
    answerCut: () => void (cuts += 1),
    text() {
      return [
        ...counter('responses_total', 'Answers by what was asked for and status.', answers),
        ...counter('documents_total', 'Documents by whom they were for.', documents),
        ...single('response_bytes_total', 'counter', 'Bytes of bodies sent.', bytes),
        ...described(
          'response_seconds',
          'histogram',
          'Time from the head of a request to the end of its answer.',
        ),
        ...durationLines(),
        ...single('release_swaps_total', 'counter', 'Releases that this process began to serve.', swaps),
        ...single('release_refusals_total', 'counter', 'Attempts to load a release that failed.', refusals),
        ...single('connections', 'gauge', 'Connections that are open.', connections()),
        ...single(
          'connections_dropped_total',
          'counter',
          'Connections turned away: too many at once.',
          drops,
        ),
        ...single('answers_cut_total', 'counter', 'Answers cut off because their reader was too slow.', cuts),
        ...described('release', 'gauge', 'The stable release served now.'),
        ...(release ? [`site_edge_release{release="${release}"} 1`] : []),
        ...described(
          'candidate_share',
          'gauge',
          'The canary served now, and the percentage of visitors it is for.',
        ),
        ...(candidate
          ? [`site_edge_candidate_share{release="${candidate.release}"} ${candidate.share}`]
          : []),
        ...single(
          'resident_memory_bytes',
          'gauge',
          'Resident memory of the process.',
          process.memoryUsage.rss(),
        ),
        '',
      ].join('\n');
    },
  };
}

function described(name: string, type: string, help: string): string[] {
  return [`# HELP site_edge_${name} ${help}`, `# TYPE site_edge_${name} ${type}`];
}

function single(name: string, type: string, help: string, value: number): string[] {
  return [...described(name, type, help), `site_edge_${name} ${value}`];
}

function counter(name: string, help: string, counts: Map<string, number>): string[] {
  return [
    ...described(name, 'counter', help),
    ...[...counts].map(([labels, count]) => `site_edge_${name}{${labels}} ${count}`),
  ];
}
