import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelAnswer } from '@site/contract';
import type { EdgeGoal } from '@site/contract/edge-goals';
import { CliError } from './cli-error.ts';
import { timeText } from '@site/contract/time-text';
import type { RegistryClient } from './registry-client.ts';

type Edge = ChannelAnswer['edges'][number];

export interface EdgesServing {
  /** How many edges serve what they should. */
  edges: number;
  /** Edges that report, and served something else until patience ended. */
  lagging: Edge[];
  /** Edges that have not reported lately, and served something else then: nobody knows what they serve. */
  silent: Edge[];
}

const POLL_MS = 50;
const PATIENCE_MS = 30_000;

/**
 * Waits until every edge that is alive has reached the goal, or for half a minute. A registry that does not answer is asked again
 * until then: the change is made.
 *
 * @throws CliError `interrupted`, `edges_unknown`.
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
    if (signal?.aborted) throw stoppedWaiting();
    const read = await registry.readChannel({ params: { channel } }).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    if (signal?.aborted) throw stoppedWaiting();
    const isOver = performance.now() >= deadline;
    if ('answer' in read) {
      const serving = servingOf(read.answer, goal);
      if (serving.lagging.length === 0 || isOver) return serving;
    } else if (isOver) throw notKnown(read.error);
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

function servingOf({ edges, state }: ChannelAnswer, goal: EdgeGoal): EdgesServing {
  const alive = edges.filter((edge) => edge.alive);
  const lagging = alive.filter((edge) => !goal(edge, state));
  const silent = edges.filter((edge) => !edge.alive && !goal(edge, state));
  return { edges: alive.length - lagging.length, lagging, silent };
}

/**
 * Why a change that is made is not what everyone gets, or null.
 *
 * @param takesAway whether something bad must be gone: then it matters what an edge does that nobody hears of.
 */
export function edgesProblem({ lagging, silent }: EdgesServing, takesAway: boolean): CliError | null {
  if (lagging.length > 0) return stillLagging(lagging);
  return takesAway && silent.length > 0 ? fellSilent(silent) : null;
}

/** `edge-1 (r3, r4 for 10 %)` */
export function describeEdge({ id, release, canary }: Edge): string {
  return `${id} (${release ?? 'nothing'}${canary ? `, ${canary.release} for ${canary.share} %` : ''})`;
}

function stoppedWaiting(): CliError {
  return new CliError(
    'interrupted',
    'Stopped waiting. The change is made, and the edges are still following it: see "npx site status".',
  );
}

function notKnown(cause: unknown): CliError {
  return new CliError(
    'edges_unknown',
    `The change is made, but the registry did not report which edges serve it: ${(cause as Error).message}`,
    { cause },
  );
}

function stillLagging(lagging: Edge[]): CliError {
  return new CliError(
    'edges_lagging',
    `The change is made, but after ${PATIENCE_MS / 1000} s these edges still serve something else: ${lagging.map(describeEdge).join(', ')}. They keep trying. Look again with "npx site status", and look at their logs.`,
  );
}

function fellSilent(silent: Edge[]): CliError {
  const named = silent
    .map((edge) => `${describeEdge(edge)}, last heard from at ${timeText(edge.seenAt)}`)
    .join('; ');
  return new CliError(
    'edges_silent',
    `The change is made, and every edge that answers serves it. No answer from: ${named}. An edge that has stopped loads the live release before it answers again. One that is still running but cut off from the registry still serves the old release: stop it, or take it out of the load balancer. If it will not come back: npx site edge forget ${silent[0]?.id ?? '<id>'} --reason "…"`,
  );
}
