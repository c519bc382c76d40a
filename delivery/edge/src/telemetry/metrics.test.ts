import { createEdgeMetrics } from './metrics.ts';

const metricLines = async (metrics: ReturnType<typeof createEdgeMetrics>) =>
  (await metrics.text())
    .split('\n')
    .filter((line) => line.startsWith('site_edge_'))
    .map((line) => line.slice('site_edge_'.length));

test('counts responses, their bytes and durations', async () => {
  const metrics = createEdgeMetrics();
  metrics.answered('document', 200, 500);
  metrics.answered('document', 200, 20);
  metrics.answered('asset', 304, 0);
  for (const ms of [0.5, 3, 20_000]) metrics.took(ms);
  expect(await metricLines(metrics)).toEqual(
    expect.arrayContaining([
      'responses_total{kind="document",status="200"} 2',
      'responses_total{kind="asset",status="304"} 1',
      'response_bytes_total 520',
      'response_seconds_bucket{le="0.001"} 1',
      'response_seconds_bucket{le="0.005"} 2',
      'response_seconds_bucket{le="10"} 2',
      'response_seconds_bucket{le="+Inf"} 3',
      'response_seconds_count 3',
    ]),
  );
});

test('names the releases served now, and no previous ones', async () => {
  const metrics = createEdgeMetrics(() => 7);
  metrics.releaseSwapped('r1');
  metrics.releaseSwapped('r2');
  metrics.canariesAre([{ release: 'r3', app: 'mfe-blocks', share: 12.5 }]);
  const served = async () =>
    (await metricLines(metrics)).filter((line) => /^(release|canary_share)\{/.test(line));
  expect(await served()).toEqual([
    'release{release="r2"} 1',
    'canary_share{release="r3",app="mfe-blocks"} 12.5',
    // The old name.
  ]);
  metrics.canariesAre([]);
  expect(await served()).toEqual(['release{release="r2"} 1']);
  expect(await metricLines(metrics)).toEqual(
    expect.arrayContaining(['release_swaps_total 2', 'release_refusals_total 0', 'connections 7']),
  );
});
