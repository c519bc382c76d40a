import type { CanaryShare, ChannelName } from '@site/contract';
import { messageOf, type EdgeLog } from '../telemetry/log.ts';

/** The releases that an edge reports as served. */
export interface Serving {
  channel: ChannelName;
  /** Null while nothing is served: before the channel's first release, or while the edge starts. */
  release: string | null;
  canary: CanaryShare | null;
}

export interface HeartbeatOptions {
  serving(): Serving;
  tell(serving: Serving): Promise<unknown>;
  log: EdgeLog;
  signal: AbortSignal;
}

/**
 * Reports the served releases to the registry. Lost reports do not matter, since they repeat every few seconds. One
 * call at a time: if two overtook each other, the older one would win.
 *
 * @returns sends a report now, or as soon as the running call ends.
 */
export function createHeartbeat({ serving, tell, log, signal }: HeartbeatOptions): () => void {
  let working: Promise<void> | null = null;
  /** Number of requests since the running call started. */
  let asked = 0;
  let lost = '';
  const isStopping = () => signal.aborted;

  async function tellNow(): Promise<void> {
    if (isStopping()) return;
    const now = serving();
    try {
      await tell(now);
      lost = '';
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== lost && !isStopping())
        log.warn({ release: now.release, problem }, 'could not report to the registry');
      lost = problem;
    }
  }

  async function work(): Promise<void> {
    for (let told = 0; told < asked;) {
      told = asked;
      await tellNow();
    }
    // Synchronously together, so that a report requested now starts a new call.
    asked = 0;
    working = null;
  }

  return function report() {
    asked += 1;
    working ??= work();
  };
}
