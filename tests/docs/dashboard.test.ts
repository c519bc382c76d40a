import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEdgeHarness } from '@site/edge/testing/edge-harness';
import { createHarness } from '@site/registry/testing/harness';
import { startDatabase } from '@site/server/testing/each-database';
import { freePorts } from '@site/server/testing/free-ports';
import { endWithThisProcess } from '@site/server/testing/let-go';
import { waitFor } from '@site/server/testing/wait-for';
import { readText } from './read-documents.ts';

/** The Grafana dashboard's queries, run by a real Prometheus on the metrics of a real registry and a real edge. */

interface Panel {
  type: string;
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}
const { panels } = JSON.parse(readText('deploy/grafana-dashboard.json')) as { panels: Panel[] };

const hasPrometheus = spawnSync('prometheus', ['--version']).error === undefined;
(hasPrometheus ? test : test.skip)(
  'each query of the dashboard has a result in Prometheus (skipped without it: apt-get install prometheus)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'site-dashboard-'));
    const { database, stop } = await startDatabase();
    const registry = await createHarness(database);
    const edges = await createEdgeHarness();
    await registry.startSite();
    const { url, opsUrl } = await edges.startServing();
    // Prometheus scrapes the registry, whose harness has no port, through this server.
    const metrics = createServer((_request, response) => {
      void registry.app
        .inject({ method: 'GET', url: '/metrics' })
        .then(({ body }) => response.setHeader('content-type', 'text/plain; version=0.0.4').end(body));
    }).listen(0, '127.0.0.1');
    await once(metrics, 'listening');
    const { port: registryPort } = metrics.address() as AddressInfo;
    const port = await freePorts();
    const job = (name: string, target: string) => ({
      job_name: name,
      static_configs: [{ targets: [target] }],
    });
    const config = {
      global: { scrape_interval: '1s' },
      scrape_configs: [
        job('site-edge', new URL(opsUrl).host),
        job('site-registry', `127.0.0.1:${registryPort}`),
      ],
    };
    // JSON is YAML.
    await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
    const prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    endWithThisProcess(prometheus);
    const query = async (expr: string) => {
      const search = new URLSearchParams({ query: expr.replaceAll('$__rate_interval', '1m') });
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${search}`);
      return (await response.json()) as {
        status: string;
        error?: string;
        data: { result: { metric: object }[] };
      };
    };
    try {
      await waitFor(async () => {
        await (await fetch(new URL('/home', url))).text();
        // A rate needs two scrapes with requests.
        const { data } = await query('min(count_over_time(up[1m])) >= 3 and min(up) == 1');
        return data.result.length > 0;
      });
      for (const { title, targets = [] } of panels) {
        for (const { expr, legendFormat } of targets) {
          const { status, error, data } = await query(expr);
          expect({ title, expr, status, error, results: data.result.length > 0 }).toEqual({
            ...{ title, expr, status: 'success', error: undefined, results: true },
          });
          // `vector(0)` has no labels: it only replaces a missing series.
          const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
          if (expr.includes('vector(0)')) continue;
          expect({ expr, labels: Object.keys(data.result[0]?.metric ?? {}) }).toEqual({
            ...{ expr, labels: expect.arrayContaining(labels) as unknown },
          });
        }
      }
    } finally {
      const ended = once(prometheus, 'exit');
      prometheus.kill('SIGTERM');
      await ended;
      metrics.close();
      await edges.close();
      await registry.stop();
      await stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

test('the dashboard has a row for visitors, releases, guard and upkeep', () => {
  const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title);
  expect(rows).toEqual(['Visitors', 'Releases', 'Guard', 'Upkeep']);
});
