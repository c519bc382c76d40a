import { Agent, request } from 'node:http';
import { median, quantile } from './quantile.ts';

export interface BenchRequest {
  url: string;
  headers?: Record<string, string>;
  body: unknown;
  /** Any other status is a failure. */
  expect: number;
}

export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
}

const agent = new Agent({ keepAlive: true });

/** Sends one POST. @returns the response headers. @throws Error for an unexpected status. */
export function send({ url, headers = {}, body, expect }: BenchRequest): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          if (answer.statusCode === expect) resolve(answer.headers);
          else reject(new Error(`${url} answered ${answer.statusCode}: ${Buffer.concat(chunks).toString()}`));
        });
        answer.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}

/** Sends `count` requests over `connections` connections, after a warm-up of a tenth as many. */
export async function measure(
  next: (index: number) => BenchRequest,
  { count, connections }: { count: number; connections: number },
): Promise<Measured> {
  const warmUp = Math.ceil(count / 10);
  await run(next, 0, warmUp, connections);
  const started = performance.now();
  const latencies = await run(next, warmUp, warmUp + count, connections);
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: count / seconds, p50: median(latencies), p99: quantile(latencies, 0.99) };
}

async function run(
  next: (index: number) => BenchRequest,
  from: number,
  to: number,
  connections: number,
): Promise<number[]> {
  const latencies: number[] = [];
  let index = from;
  const worker = async () => {
    while (index < to) {
      const current = next(index++);
      const started = performance.now();
      await send(current);
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return latencies;
}
