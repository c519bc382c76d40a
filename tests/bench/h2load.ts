import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from './quantile.ts';

/** Whether this machine has h2load (Debian: `nghttp2-client`). */
export const hasH2load = spawnSync('h2load', ['--version']).error === undefined;

/** What a run measured. */
export interface Load {
  perSecond: number;
  /** Of the time from the request to the end of its answer, in milliseconds. */
  p99: number;
}

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 1;
const SECONDS = 5;

/**
 * Asks for one address with a client in C, which takes far less of the processors that it shares with the server than one
 * in JavaScript: gzip, HTTP/1.1, {@link CONNECTIONS} connections that are kept.
 *
 * @param rate requests a second. Each connection has its share of them, one after the other: what is late delays the next
 * one of its connection, so a p99 counts everything only while it is below `CONNECTIONS / rate` seconds (3.2 ms at 10,000).
 * Default: as many as are answered.
 * @throws Error when a request was not answered, or not with success.
 */
export async function loadWithH2load(url: string, rate?: number): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), 'site-load-'));
  const log = join(folder, 'requests');
  try {
    await run([
      ...['--h1', `--clients=${CONNECTIONS}`, '--threads=1'],
      ...[`--duration=${SECONDS}`, `--warm-up-time=${WARM_UP_SECONDS}`],
      ...(rate === undefined ? [] : [`--rps=${rate / CONNECTIONS}`]),
      ...['--header=accept-encoding: gzip', `--log-file=${log}`, url],
    ]);
    // When it started, its status, and how many microseconds it took. What was under way when the warm-up ended has no status.
    const requests = (await readFile(log, 'utf8')).split('\n').map((line) => line.split('\t'));
    const times = requests.filter(([, status]) => status === '200').map(([, , us]) => Number(us) / 1000);
    if (times.length === 0) throw new Error(`${url}: h2load was not answered.`);
    return { perSecond: times.length / SECONDS, p99: quantile(times, 0.99) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What it prints when nothing failed, and nothing was answered with anything but success. */
const allAnswered = [' 0 failed, 0 errored, 0 timeout', ' 0 3xx, 0 4xx, 0 5xx'];

function run(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('h2load', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    child.once('error', reject);
    child.once('close', (code) => {
      // A connection that was closed meanwhile stays closed: what it would have asked for is missing.
      if (code === 0 && allAnswered.every((sign) => output.includes(sign))) resolve();
      else reject(new Error(`h2load ${args.join(' ')} ended with ${code}: ${output}`));
    });
  });
}
