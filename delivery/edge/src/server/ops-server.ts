import { edgeAddresses } from '@site/contract';
import { answerStatus } from '@site/contract/answer-status';
import { createEdgeServer, type EdgeRequest, type EdgeResponse, type EdgeServer } from './listen.ts';

export interface OpsOptions {
  /** Whether a load balancer should send visitors here. */
  isReady(): boolean;
  /** For Prometheus. */
  metrics(): Promise<string>;
}

/** Connections that operators' machines need at a time, with room to spare. */
const MAX_CONNECTIONS = 100;
const IDLE_MS = 60_000;

/**
 * What operators and their machines ask an edge, on a port of its own: whether it lives, whether it takes visitors, and
 * its counters. Nothing that a release holds can stand in its place, and no visitor gets here.
 */
export function createOpsServer({ isReady, metrics }: OpsOptions): EdgeServer {
  const answers: Record<string, () => [status: number, text: string | Promise<string>]> = {
    [edgeAddresses.opsHealth]: () => [200, 'ok\n'],
    [edgeAddresses.opsReady]: () =>
      isReady() ? [200, 'ready\n'] : [answerStatus.notReady, 'not ready yet\n'],
    [edgeAddresses.opsMetrics]: () => [200, metrics()],
  };
  async function answer(request: EdgeRequest, response: EdgeResponse): Promise<void> {
    request.resume();
    const path = (request.url ?? '/').split('?', 1)[0] ?? '';
    const known = Object.hasOwn(answers, path) ? answers[path] : undefined;
    const [status, text] = known?.() ?? [404, `Available here: ${Object.keys(answers).join(', ')}.\n`];
    const body = Buffer.from(await text);
    response.writeHead(status, {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    // Node leaves the body out of an answer to HEAD.
    response.end(body);
  }
  return createEdgeServer({
    maxConnections: MAX_CONNECTIONS,
    idleMs: IDLE_MS,
    settings: { port: 'OPS_PORT', host: 'OPS_HOST' },
    onRequest: (request, response) => void answer(request, response),
    onDrop: () => undefined,
  });
}
