import type { Heartbeat } from '@site/contract/registry-calls/edge.calls';
import { errorMessage, type EdgeLog } from '../telemetry/log.ts';

/** Its release is null before the channel's first release and while the edge starts. */
export type Serving = Heartbeat;

export interface HeartbeatOptions {
  serving(): Serving;
  send(serving: Serving): Promise<unknown>;
  log: EdgeLog;
  signal: AbortSignal;
}

/**
 * Lost reports do not matter, since they repeat every few seconds. One call at a time: if two overtook each other,
 * the older one would win. @returns sends a report now, or as soon as the running call ends.
 */
export function createHeartbeat({ serving, send, log, signal }: HeartbeatOptions): () => void {
  let working: Promise<void> | null = null;
  let asked = 0;
  let lost = '';
  const isStopping = () => signal.aborted;

  async function sendReport(): Promise<void> {
    if (isStopping()) return;
    const now = serving();
    try {
      await send(now);
      lost = '';
    } catch (error) {
      const problem = errorMessage(error);
      if (problem !== lost && !isStopping())
        log.warn({ release: now.release, problem }, 'could not report to the registry');
      lost = problem;
    }
  }

  async function work(): Promise<void> {
    for (let sent = 0; sent < asked;) {
      sent = asked;
      await sendReport();
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
