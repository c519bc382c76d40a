import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelAnswer } from '@site/contract';
import type { EdgeGoal } from '@site/contract/edge-goals';
import { CliError } from './cli-error.ts';
import { timeText } from '@site/contract/text';
import type { RegistryClient } from './registry-client.ts';

type Edge = ChannelAnswer['edges'][number];
type Cache = NonNullable<ChannelAnswer['caches']>[number];

export interface EdgesServing {
  edges: number;
  /** Edges that still served another release at the timeout. */
  lagging: Edge[];
  /** Edges without a recent report. Their state is unknown. */
  silent: Edge[];
  /** Caches in front of the edges that the registry purges, and those that were not purged at the timeout. */
  caches: { all: number; unpurged: Cache[] };
}

const POLL_MS = 50;
const PATIENCE_MS = 30_000;

/**
 * At most half a minute. Retries while the registry does not respond, since the change is made. @throws CliError
 * `interrupted`, `edges_unknown`.
 */
export async function waitForEdges(
  registry: Pick<RegistryClient, 'readChannel'>,
  channel: string,
  goal: EdgeGoal,
  {
    patienceMs = PATIENCE_MS,
    pollMs = POLL_MS,
    signal,
  }: { patienceMs?: number; pollMs?: number; signal?: AbortSignal | undefined } = {},
): Promise<EdgesServing> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    if (signal?.aborted) throw waitInterrupted();
    const read = await registry.readChannel({ params: { channel } }).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    if (signal?.aborted) throw waitInterrupted();
    const isOver = performance.now() >= deadline;
    if ('answer' in read) {
      const serving = edgesServing(read.answer, goal);
      const isDone = serving.lagging.length === 0 && serving.caches.unpurged.length === 0;
      if (isDone || isOver) return serving;
    } else if (isOver) throw edgesUnknown(read.error);
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

function edgesServing({ edges, state, caches = [] }: ChannelAnswer, goal: EdgeGoal): EdgesServing {
  const alive = edges.filter((edge) => edge.alive);
  const lagging = alive.filter((edge) => !goal(edge, state));
  const silent = edges.filter((edge) => !edge.alive && !goal(edge, state));
  return {
    edges: alive.length - lagging.length,
    lagging,
    silent,
    caches: { all: caches.length, unpurged: caches.filter(({ waiting }) => waiting > 0) },
  };
}

/** @param takesAway whether a bad version must be removed: then unreachable edges are reported as well. */
export function edgesProblem({ lagging, silent, caches }: EdgesServing, takesAway: boolean): CliError | null {
  if (lagging.length > 0) return edgesLagging(lagging);
  if (caches.unpurged.length > 0) return cachesUnpurged(caches.unpurged);
  return takesAway && silent.length > 0 ? edgesSilent(silent) : null;
}

export function describeEdge({ id, release, canaries }: Edge): string {
  return `${id} (${[release ?? 'nothing', ...canaries.map(canaryText)].join(', ')})`;
}

export const canaryText = ({ release, share }: Edge['canaries'][number]) => `${release} for ${share} %`;

function waitInterrupted(): CliError {
  return new CliError(
    'interrupted',
    'Stopped waiting. The change is made, and the edges are still following: see "npx @site/cli status".',
  );
}

function edgesUnknown(cause: unknown): CliError {
  return new CliError(
    'edges_unknown',
    `The change is made, but the registry did not report which edges serve it: ${(cause as Error).message}`,
    { cause },
  );
}

function edgesLagging(lagging: Edge[]): CliError {
  return new CliError(
    'edges_lagging',
    `The change is made, but after ${PATIENCE_MS / 1000} s these edges still serve something else: ` +
      `${lagging.map(describeEdge).join(', ')}. They keep trying. Run "npx @site/cli status" again, and check their ` +
      'logs.',
  );
}

function cachesUnpurged(caches: Cache[]): CliError {
  const named = caches.map(({ name, problem }) => `${name}${problem === null ? '' : ` (${problem})`}`);
  return new CliError(
    'caches_unpurged',
    `The change is made, and the edges serve it, but after ${PATIENCE_MS / 1000} s these caches are not purged: ` +
      `${named.join(', ')}. They may serve the previous version; the registry keeps trying.`,
  );
}

function edgesSilent(silent: Edge[]): CliError {
  const named = silent
    .map((edge) => `${describeEdge(edge)}, last report at ${timeText(edge.seenAt)}`)
    .join('; ');
  return new CliError(
    'edges_silent',
    `The change is made, and every responding edge serves it. No response from: ${named}. A stopped edge loads ` +
      'the live release before it serves requests again. A running edge without a connection to the registry ' +
      'still serves the old release: stop it, or take it out of the load balancer. If it will not come back: ' +
      `npx @site/cli edge forget ${silent[0]?.id ?? '<id>'} --reason "…"`,
  );
}
