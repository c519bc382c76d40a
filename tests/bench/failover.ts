/**
 * `npm run bench:failover`: a kill of the PostgreSQL primary while registry, gateway and forms write to it, and the
 * promotion of its standby. Prints a table and saves it in `docs/benchmarks.md`. Exits with 1 if synchronous
 * replication loses an acknowledged write.
 */
import { loadavg } from 'node:os';
import { failOver, type Failover } from '../delivery/harness/database-failover.ts';
import { quantile } from './quantile.ts';
import { runParts } from './run-parts.ts';
import { table } from './table.ts';

const RUNS = 5;
const LAG_MS = 20;

const load = loadavg()[0] ?? 0;
await runParts(
  'Failover of the database',
  `\`npm run bench:failover\`: \`kill -9\` of the primary under the writes of 12 clients, ${RUNS} times each; the standby lags ` +
    `by ${LAG_MS} ms; load average ${load.toFixed(1)}. Times since the promotion command, median (longest).`,
  { failover },
);

async function failover(): Promise<string> {
  const rows: string[][] = [];
  let lost = 0;
  for (const synchronous of [true, false]) {
    const results: Failover[] = [];
    for (let run = 0; run < RUNS; run += 1)
      results.push(await failOver({ synchronous, lagMs: LAG_MS, durable: true }));
    const middle = (of: (result: Failover) => number) => quantile(results.map(of), 0.5).toFixed(0);
    const times = (of: (result: Failover) => number) =>
      `${middle(of)} (${Math.max(...results.map(of)).toFixed(0)})`;
    const sum = (of: (result: Failover) => number) => results.reduce((total, each) => total + of(each), 0);
    if (synchronous) lost = sum((result) => result.lost);
    rows.push([
      synchronous ? 'synchronous' : 'asynchronous',
      times(({ promotedMs }) => promotedMs),
      times(({ againMs }) => Math.max(...Object.values(againMs))),
      `${sum((result) => result.lost)} of ${sum(({ acknowledged }) => acknowledged)}`,
    ]);
  }
  if (lost > 0) process.exitCode = 1;
  const head = ['promoted, ms', 'all processes write, ms', 'acknowledged writes lost'];
  return table(['replication', ...head], rows);
}
