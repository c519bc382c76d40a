import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from './cli-error.ts';
import type { Channel } from './registry-answers.schema.ts';
import type { RegistryClient } from './registry-client.ts';

export interface EdgesServing {
  /** How many edges serve the release now. */
  edges: number;
}

const POLL_MS = 50;
const PATIENCE_MS = 30_000;

/**
 * Waits until every edge that is alive serves the release, or a later one.
 *
 * @throws CliError `edges_lagging` that names those which do not, after half a minute.
 */
export async function waitForEdges(
  registry: Pick<RegistryClient, 'channel'>,
  channel: string,
  release: string,
  { patienceMs = PATIENCE_MS, pollMs = POLL_MS }: { patienceMs?: number; pollMs?: number } = {},
): Promise<EdgesServing> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const alive = (await registry.channel(channel)).edges.filter((edge) => edge.alive);
    const lagging = alive.filter((edge) => !serves(edge, release));
    if (lagging.length === 0) return { edges: alive.length };
    if (performance.now() >= deadline) throw stillLagging(release, lagging, patienceMs);
    await sleep(pollMs);
  }
}

function serves(edge: Channel['edges'][number], release: string): boolean {
  return edge.release !== null && Number(edge.release.slice(1)) >= Number(release.slice(1));
}

function stillLagging(release: string, lagging: Channel['edges'], patienceMs: number): CliError {
  const names = lagging.map(({ id, release: old }) => `${id} (${old ?? 'nothing'})`).join(', ');
  return new CliError(
    'edges_lagging',
    `${release} is made, but after ${patienceMs / 1000} s these edges serve something else: ${names}. They go on trying; look again with "npx site status", and at their logs.`,
  );
}
