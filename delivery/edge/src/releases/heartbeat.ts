import type { CanaryShare, ChannelName } from '@site/contract';
import { messageOf, type EdgeLog } from '../telemetry/log.ts';

/** What an edge says that it serves. */
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
 * Tells the registry what is served here; it does not matter when that is lost, since it is told again every few seconds.
 * One call at a time: of two that overtake each other the older one would stand.
 *
 * @returns tells it now, or as soon as the call under way has ended.
 */
export function createHeartbeat({ serving, tell, log, signal }: HeartbeatOptions): () => void {
  let working: Promise<void> | null = null;
  /** How often it was asked for since the work under way began. */
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
    // Together, and before anything else runs: a report that comes now starts from scratch.
    asked = 0;
    working = null;
  }

  return function report() {
    asked += 1;
    working ??= work();
  };
}
