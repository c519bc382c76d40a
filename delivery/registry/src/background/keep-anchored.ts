import type { FastifyInstance } from 'fastify';
import type { AuditAnchors } from '../audit/audit-anchors.ts';
import { MINUTE_MS } from '@site/server/durations';

/** What another process changed, or a store that was away left open, is anchored by then. */
const EVERY_MS = MINUTE_MS;

/**
 * Anchors the log at the start, after each change and by a timer. No change waits for it, and none fails because of it:
 * what could not be anchored now is anchored next time. Most requests that may change something add nothing to the log
 * (uploads, heartbeats): after these the anchors, which a bucket takes its time to list, are left alone.
 */
export function keepAnchored(app: FastifyInstance, anchors: Pick<AuditAnchors, 'head' | 'anchorEnd'>): void {
  let running: Promise<void> | null = null;
  let isWanted = false;
  let told: string | null = null;
  /** Where the log ended when its anchors were last found in order; null: look at them in any case. */
  let anchoredHead: string | null = null;

  function tell(problem: string | null, error?: unknown): void {
    if (problem === told) return;
    told = problem;
    if (error !== undefined) app.log.warn({ err: error }, 'the audit log could not be anchored; retrying');
    else if (problem !== null)
      app.log.error({ problem }, 'the audit log does not follow from its anchors; run "npx site verify"');
  }

  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      try {
        const head = await anchors.head();
        if (head === anchoredHead) continue;
        const problem = await anchors.anchorEnd();
        anchoredHead = problem === null ? head : null;
        tell(problem);
      } catch (error) {
        anchoredHead = null;
        tell(error instanceof Error ? error.message : String(error), error);
      }
    }
  }

  function want(): void {
    isWanted = true;
    running ??= run().finally(() => (running = null));
  }

  const timer = setInterval(() => {
    anchoredHead = null;
    want();
  }, EVERY_MS);
  timer.unref();
  app.addHook('onReady', (done) => {
    want();
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') want();
    done();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    isWanted = false;
    await running;
  });
}
