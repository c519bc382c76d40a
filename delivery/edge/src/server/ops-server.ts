import { edgeAddresses } from '@site/contract';
import { answerStatus } from '@site/contract/http';
import { createEdgeServer, type EdgeRequest, type EdgeResponse, type EdgeServer } from './listen.ts';

export interface OpsPage {
  headers: Record<string, string>;
  body: string;
}

export interface OpsOptions {
  /** For load balancers. */
  isReady(): boolean;
  metrics(): Promise<string>;
  /** Further pages, of a local start. */
  page?: ((path: string) => OpsPage | undefined) | undefined;
  onlyHosts?: readonly string[] | undefined;
}

/** Enough for operators' tools. */
const MAX_CONNECTIONS = 100;
const IDLE_MS = 60_000;

const common = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** On a separate port: no release can shadow it, and visitors cannot reach it. */
export function createOpsServer({ isReady, metrics, page, onlyHosts }: OpsOptions): EdgeServer {
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
    const extra = known ? undefined : page?.(path);
    if (extra) {
      response.writeHead(200, { ...common, ...extra.headers });
      response.end(extra.body);
      return;
    }
    const [status, text] = known?.() ?? [404, `Available here: ${Object.keys(answers).join(', ')}.\n`];
    const body = Buffer.from(await text);
    response.writeHead(status, {
      ...common,
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
    });
    // Node omits the body for HEAD.
    response.end(body);
  }
  return createEdgeServer({
    maxConnections: MAX_CONNECTIONS,
    idleMs: IDLE_MS,
    onlyHosts,
    settings: { port: 'OPS_PORT', host: 'OPS_HOST' },
    onRequest: (request, response) => void answer(request, response),
    onDrop: () => undefined,
  });
}
