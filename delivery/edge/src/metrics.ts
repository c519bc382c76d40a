/** The edge's counters, in the text format that Prometheus reads. */
export interface EdgeMetrics {
  /** `kind` is what was answered: document, asset, redirect … */
  answered(kind: string, status: number): void;
  releaseSwapped(id: string): void;
  releaseRefused(): void;
  text(): string;
}

export function createEdgeMetrics(): EdgeMetrics {
  const answers = new Map<string, number>();
  let swaps = 0;
  let refusals = 0;
  let release = '';
  return {
    answered(kind, status) {
      const labels = `kind="${kind}",status="${status}"`;
      answers.set(labels, (answers.get(labels) ?? 0) + 1);
    },
    releaseSwapped(id) {
      swaps += 1;
      release = id;
    },
    releaseRefused() {
      refusals += 1;
    },
    text() {
      return [
        '# HELP site_edge_responses_total Answers by what was asked for and status.',
        '# TYPE site_edge_responses_total counter',
        ...[...answers].map(([labels, count]) => `site_edge_responses_total{${labels}} ${count}`),
        '# HELP site_edge_release_swaps_total Releases that this process began to serve.',
        '# TYPE site_edge_release_swaps_total counter',
        `site_edge_release_swaps_total ${swaps}`,
        '# HELP site_edge_release_refusals_total Attempts to load a release that failed.',
        '# TYPE site_edge_release_refusals_total counter',
        `site_edge_release_refusals_total ${refusals}`,
        '# HELP site_edge_release The release served now.',
        '# TYPE site_edge_release gauge',
        ...(release ? [`site_edge_release{release="${release}"} 1`] : []),
        '# HELP site_edge_resident_memory_bytes Resident memory of the process.',
        '# TYPE site_edge_resident_memory_bytes gauge',
        `site_edge_resident_memory_bytes ${process.memoryUsage.rss()}`,
        '',
      ].join('\n');
    },
  };
}
