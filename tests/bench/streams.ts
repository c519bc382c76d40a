import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../delivery/harness/cluster.ts';
import { sampleRemote } from '../delivery/harness/sample-apps.ts';
import { table } from './table.ts';

const STREAMS = 200;
/** Of every ten streams, one reads slowly and one never reads. */
const readerKind = (index: number) => (index % 10 === 0 ? 'deaf' : index % 10 === 1 ? 'slow' : 'good');
const CHANGES = 20;
const HEARD_WITHIN_MS = 1_000;

/** The delay of the last good stream after a change, with slow and deaf ones connected. */
export async function streams(cluster: Cluster): Promise<string> {
  const hearing = new Map<string, number>();
  let onHeard: () => void = () => undefined;
  const open = await Promise.all(
    Array.from({ length: STREAMS }, (_, index) =>
      follow(cluster, readerKind(index), (release) => {
        hearing.set(release, (hearing.get(release) ?? 0) + 1);
        onHeard();
      }),
    ),
  );
  const good = open.filter((_, index) => readerKind(index) === 'good').length;
  const times: number[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    const version = await cluster.publish(
      sampleRemote('mfe-alpha', ['/alpha', '/alpha/more'], `s ${change}`),
    );
    const release = await cluster.activate({ 'mfe-alpha': version });
    const answered = performance.now();
    await new Promise<void>((resolve) => {
      onHeard = () => {
        if (hearing.get(release) === good) resolve();
      };
      onHeard();
    });
    times.push(performance.now() - answered);
  }
  for (const response of open) response.destroy();
  const slowest = Math.max(...times);
  if (slowest > HEARD_WITHIN_MS) {
    process.exitCode = 1;
    process.stderr.write(
      `The last stream heard after ${slowest.toFixed(0)} ms; the limit is ${HEARD_WITHIN_MS} ms.\n`,
    );
  }
  return table(
    ['event streams on one registry', 'good', 'changes', 'last one heard, worst, ms after the answer'],
    [[STREAMS, good, CHANGES, slowest.toFixed(0)].map(String)],
  );
}

async function follow(
  { registry, tokens }: Cluster,
  kind: ReturnType<typeof readerKind>,
  hear: (release: string) => void,
): Promise<IncomingMessage> {
  const request = get(`${registry.url}/v1/channels/production/events`, {
    agent: false,
    headers: { authorization: `Bearer ${tokens.ops}` },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  if (kind === 'good') {
    response.on('data', (chunk: Buffer) => {
      for (const [, release = ''] of chunk.toString().matchAll(/"live":"(r\d+)"/g)) hear(release);
    });
  }
  if (kind === 'slow') void readSlowly(response).catch(() => undefined);
  return response;
}

async function readSlowly(response: IncomingMessage): Promise<void> {
  while (!response.destroyed) {
    response.read(1);
    await sleep(500, undefined, { ref: false });
  }
}
