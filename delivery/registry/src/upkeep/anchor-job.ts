import type { FastifyInstance } from 'fastify';
import type { AuditAnchors } from './audit-anchors.ts';
import { MINUTE_MS } from '@site/server/durations';

/** Interval for changes of other processes, and retries after the store was down. */
const EVERY_MS = MINUTE_MS;

/**
 * Changes neither wait for it nor fail because of it; a failed run is retried by the next. Most write requests
 * (uploads, heartbeats) add nothing to the log; after these, the slow listing of anchors is skipped.
 * @returns when the log was first compared with its anchors.
 */
export function keepAnchored(
  app: FastifyInstance,
  anchors: Pick<AuditAnchors, 'head' | 'anchorEnd'>,
): Promise<void> {
  let haveCompared: () => void = () => undefined;
  const compared = new Promise<void>((resolve) => (haveCompared = resolve));
  let running: Promise<void> | null = null;
  let isWanted = false;
  let told: string | null = null;
  /** The log's end when its anchors were last verified; null forces a check. */
  let anchoredHead: string | null = null;

  function tell(problem: string | null, error?: unknown): void {
    if (problem === told) return;
    told = problem;
    if (error !== undefined) app.log.warn({ err: error }, 'the audit log could not be anchored; retrying');
    else if (problem !== null)
      app.log.error(
        { problem },
        'the audit log does not follow from its anchors; run "npx @site/cli verify"',
      );
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
    running ??= run().finally(() => {
      running = null;
      haveCompared();
    });
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
    haveCompared();
    await running;
  });
  return compared;
}
