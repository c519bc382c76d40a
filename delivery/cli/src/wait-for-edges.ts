import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelAnswer, ChannelState } from '@site/contract';
import { CliError } from './cli-error.ts';
import { time } from './output.ts';
import type { RegistryClient } from './registry-client.ts';

type Edge = ChannelAnswer['edges'][number];

export interface EdgesServing {
  /** How many edges serve what they should. */
  edges: number;
  /** Edges that have not reported lately: nobody knows what they serve. */
  silent: Edge[];
}

/** What an edge must have come to, judged by what it reports and by where its channel points now. */
export type EdgeGoal = (edge: Edge, state: ChannelState) => boolean;

const POLL_MS = 50;
const PATIENCE_MS = 30_000;
/** An edge that reported so lately may well go on serving what it served then. One that was stopped is forgotten later. */
const MAY_STILL_SERVE_MS = 10 * 60_000;

/**
 * Waits until every edge that is alive has reached the goal.
 *
 * @throws CliError `edges_lagging` that names those which have not, after half a minute; `edges_silent` when
 *   what is taken away may still be served by an edge that nobody hears of; `interrupted`.
 */
export async function waitForEdges(
  registry: Pick<RegistryClient, 'channel'>,
  channel: string,
  goal: EdgeGoal,
  {
    patienceMs = PATIENCE_MS,
    pollMs = POLL_MS,
    signal,
    takesAway = false,
  }: {
    patienceMs?: number;
    pollMs?: number;
    signal?: AbortSignal | undefined;
    /** Something bad must be gone: an edge that fell silent with something else is not passed over. */
    takesAway?: boolean;
  } = {},
): Promise<EdgesServing> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    if (signal?.aborted) throw stoppedWaiting();
    const { edges, state } = await registry.channel(channel).catch((error: unknown) => {
      throw signal?.aborted ? stoppedWaiting() : error;
    });
    const alive = edges.filter((edge) => edge.alive);
    const lagging = alive.filter((edge) => !goal(edge, state));
    if (lagging.length === 0) {
      const silent = edges.filter((edge) => !edge.alive && !goal(edge, state));
      const lost = takesAway ? silent.filter(({ seenAt }) => mayStillServe(seenAt, alive)) : [];
      if (lost.length > 0) throw fellSilent(lost);
      return { edges: alive.length, silent };
    }
    if (performance.now() >= deadline) throw stillLagging(lagging, patienceMs);
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Serves this release, or a later one, and no canary that is over: no visitor gets what was before. */
export function servesStable(release: string): EdgeGoal {
  return (edge, state) =>
    edge.release !== null && numberOf(edge.release) >= numberOf(release) && servesNoOldCanary(edge, state);
}

/** Whatever canary it serves is the one that runs now. */
export const servesNoOldCanary: EdgeGoal = ({ candidate }, state) =>
  candidate === null || candidate.release === state.candidate?.release;

/** Shows the canary that runs now to the share of visitors that is wanted now. */
export const servesCanary: EdgeGoal = ({ candidate }, state) =>
  candidate?.release === state.candidate?.release && candidate?.share === state.candidate?.share;

/** `edge-1 (r3, r4 for 10 %)` */
export function describeEdge({ id, release, candidate }: Edge): string {
  return `${id} (${release ?? 'nothing'}${candidate ? `, ${candidate.release} for ${candidate.share} %` : ''})`;
}

function stoppedWaiting(): CliError {
  return new CliError(
    'interrupted',
    'Stopped waiting. The change is made, and the edges go on following it: see "npx site status".',
  );
}

function numberOf(release: string): number {
  return Number(release.slice(1));
}

function stillLagging(lagging: Edge[], patienceMs: number): CliError {
  return new CliError(
    'edges_lagging',
    `The change is made, but after ${patienceMs / 1000} s these edges serve something else: ${lagging.map(describeEdge).join(', ')}. They go on trying; look again with "npx site status", and at their logs.`,
  );
}

/** By the registry's clock, as far as an edge that just reported tells it: this machine's may be wrong. */
function mayStillServe(seenAt: string, alive: Edge[]): boolean {
  const now = Math.max(...alive.map((edge) => Date.parse(edge.seenAt)));
  return (Number.isFinite(now) ? now : Date.now()) - Date.parse(seenAt) <= MAY_STILL_SERVE_MS;
}

function fellSilent(lost: Edge[]): CliError {
  return new CliError(
    'edges_silent',
    `The change is made, but these edges do not report any more, and may still serve what they served last: ${lost.map((edge) => `${describeEdge(edge)} at ${time(edge.seenAt)}`).join(', ')}. Take them out of the load balancer or stop them, unless they are stopped already; look again with "npx site status".`,
  );
}
