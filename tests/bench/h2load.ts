import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from './quantile.ts';

/** Whether this machine has h2load (Debian: `nghttp2-client`). */
export const hasH2load = spawnSync('h2load', ['--version']).error === undefined;

export interface Load {
  perSecond: number;
  /** Latency from the request to the end of the response, in milliseconds. */
  p99: number;
}

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 1;
const SECONDS = 5;

/**
 * Requests one URL with a client in C, which needs far less CPU time on the shared machine than one in JavaScript:
 * gzip, HTTP/1.1, {@link CONNECTIONS} keep-alive connections.
 *
 * @param rate requests per second. Each connection sends its share in sequence: a late response delays its next
 * request, so a p99 is correct only below `CONNECTIONS / rate` seconds (3.2 ms at 10,000). Default: unlimited.
 * @throws Error for a failed request or an error response.
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
    // Start time, status and microseconds. Requests that were active at the end of the warm-up have no status.
    const requests = (await readFile(log, 'utf8')).split('\n').map((line) => line.split('\t'));
    const times = requests.filter(([, status]) => status === '200').map(([, , us]) => Number(us) / 1000);
    if (times.length === 0) throw new Error(`${url}: h2load was not answered.`);
    return { perSecond: times.length / SECONDS, p99: quantile(times, 0.99) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The output without failed requests and error responses. */
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
      // A closed connection is not reopened, so its requests would be missing.
      if (code === 0 && allAnswered.every((sign) => output.includes(sign))) resolve();
      else reject(new Error(`h2load ${args.join(' ')} ended with ${code}: ${output}`));
    });
  });
}
