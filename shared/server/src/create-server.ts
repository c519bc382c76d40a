import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import {
  fastify,
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { collectDefaultMetrics, Histogram, Registry, type Metric } from 'prom-client';
import type { ApiError, ErrorSource } from './api-error.ts';
import type { LogLevel } from './config.ts';
import { errorDocument, toApiError } from './error-document.ts';
import { baseErrors } from './base-errors.ts';
import { normalizeForwardedFor, toProxyTest, type TrustedProxies } from './client-address.ts';
import { addRateLimit, type RateLimit } from './rate-limit.ts';
import { isDraining } from './start-server.ts';
import { JSON_API } from './json-api.ts';
import { usableRequestId } from './request-id.ts';
import { refuseBroken, NoStoreResponse, type BrokenStatus } from './no-store.ts';
import { limitArrival } from './arrival.ts';
import { STRICT_TRANSPORT_SECURITY } from './common-headers.ts';
import { traceRequests } from './trace-requests.ts';
import { writeLog } from './write-log.ts';
import { visibleText } from '@site/contract/text';

export interface ServerOptions {
  name: string;
  /** Default: `silent`. */
  logLevel?: LogLevel;
  /** Default: standard output. */
  logStream?: { write(line: string): void };
  /** Bytes. Default: 64 KiB. */
  bodyLimit?: number;
  requestTimeout?: number;
  bodyTimeout?: number;
  handlerTimeout?: number;
  trustProxy?: TrustedProxies;
  cors?: { origins: string[]; allowedHeaders?: string[]; exposedHeaders?: string[] };
  /** Requests per minute and caller; more get 429 `rate_limited`. Default: no limit. */
  rateLimit?: RateLimit;
  ready?: () => Promise<void>;
  /** Default: a new registry. */
  metrics?: Registry;
  mayReadMetrics?: (request: FastifyRequest) => Promise<void>;
}

/**
 * The base of every server: request ids (`x-request-id`), JSON:API errors, limits, CORS, one log line per
 * response without personal data, `/healthz` (liveness), `/readyz` (readiness) and `/metrics` (Prometheus).
 * Routes throw `ApiError`; other errors become 500 `internal` and are logged.
 * @example const app = await createServer({ name: 'gateway', ready: () => database.ping() });
 * app.get('/guests/:id', async (request, reply) => …);
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const app = fastify({
    logger: {
      name: options.name,
      level: options.logLevel ?? 'silent',
      // The shape of all processes' lines: see `createJsonLog` of the edge.
      base: {},
      formatters: { level: (level) => ({ level }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      // JSON leaves some characters unescaped that control terminals.
      stream: {
        write: (line: string) => (options.logStream ?? { write: writeLog }).write(visibleText(line)),
      },
      serializers: { err: describeError },
    },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: options.bodyLimit ?? 64 * 1024,
    trustProxy: toProxyTest(options.trustProxy ?? 0),
    requestTimeout: options.requestTimeout ?? 30_000,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { maxParamLength: 500 },
    genReqId: (request) => usableRequestId(request.headers['x-request-id']) ?? randomUUID(),
    http: { ServerResponse: NoStoreResponse },
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    clientErrorHandler: answerBrokenConnection,
    frameworkErrors: (error, request, typedReply) => {
      const reply = typedReply as unknown as FastifyReply;
      // This error precedes all hooks.
      void reply.headers({
        'x-request-id': request.id,
        'strict-transport-security': STRICT_TRANSPORT_SECURITY,
        'cache-control': 'no-store',
      });
      void reply.status(400).type(JSON_API);
      void reply.send(errorDocument(toApiError(error), request.id));
    },
    ...(options.handlerTimeout === undefined ? {} : { handlerTimeout: options.handlerTimeout }),
  });

  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser(
    'application/vnd.api+json',
    { parseAs: 'string' },
    app.getDefaultJsonParser('error', 'error'),
  );

  traceRequests(app);
  if (options.bodyTimeout !== undefined) limitArrival(app, options.bodyTimeout);
  app.addHook('onRequest', (request, reply, done) => {
    // Before the first use of `request.ip`.
    normalizeForwardedFor(request.headers);
    void reply
      .header('x-request-id', request.id)
      .header('x-content-type-options', 'nosniff')
      .header('strict-transport-security', STRICT_TRANSPORT_SECURITY)
      // Cacheable responses declare it themselves; an error never is.
      .header('cache-control', 'no-store');
    done();
  });
  // Fastify adds a charset to JSON types; JSON:API forbids it.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const type = reply.getHeader('content-type');
    if (typeof type === 'string' && type.startsWith(`${JSON_API};`)) reply.header('content-type', JSON_API);
    done();
  });
  if (options.cors) {
    const pages = {
      origin: options.cors.origins,
      methods: ['GET', 'HEAD', 'POST', 'PUT'],
      allowedHeaders: options.cors.allowedHeaders ?? ['content-type'],
      exposedHeaders: ['x-request-id', 'retry-after', ...(options.cors.exposedHeaders ?? [])],
      maxAge: 7_200,
    };
    await app.register(cors, {
      // No page may read operator calls.
      delegator: (request, decide) =>
        decide(null, /^\/admin(?:\/|$)/.test(request.url) ? { origin: false } : pages),
    });
  }

  await addRateLimit(app, options.rateLimit ?? { perAddress: 0, perGuest: 0 });

  app.setErrorHandler((error, request, reply) => {
    const apiError = toApiError(error);
    noteRefusal(request, apiError);
    if (wentAway(request)) request.log.info('the client disconnected before the request was complete');
    else if (apiError.status >= 500)
      request.log.error(
        { err: error, route: requestRoute(request), code: apiError.code },
        'the request failed',
      );
    void reply.status(apiError.status).header('cache-control', 'no-store');
    void reply.headers(apiError.headers).type(JSON_API);
    return errorDocument(apiError, request.id);
  });
  app.setNotFoundHandler((request) => {
    throw baseErrors.route_not_found(`There is no ${request.method} ${pathOnly(request.url)}.`);
  });

  addOperations(app, options);
  return app;
}

/**
 * `validate.ts` validates requests. Fastify's schema compilers are large and would be loaded at every start.
 */
const noCompiler = () => () => {
  throw new TypeError('A route has a Fastify schema: validate its requests with validate.ts.');
};

interface Refusal {
  code: string;
  fields: readonly { pointer: string }[];
  source?: ErrorSource | undefined;
}

const refusals = new WeakMap<FastifyRequest, { code: string; fields?: string[] }>();

/** Adds code and invalid fields, never their values, to the request's log line. */
export function noteRefusal(request: FastifyRequest, { code, fields, source }: Refusal): void {
  const named = [...fields.map(({ pointer }) => pointer), ...Object.values(source ?? {})]
    .slice(0, 20)
    .map((name) => name.slice(0, 80));
  refusals.set(request, { code, ...(named.length > 0 ? { fields: named } : {}) });
}

function wentAway({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

/** The pattern, because paths contain visitors' ids. */
export const requestRoute = (request: FastifyRequest): string => request.routeOptions.url ?? 'unknown';

let ofThisProcess: Metric[] | undefined;
function processMetrics(): Metric[] {
  if (ofThisProcess) return ofThisProcess;
  const found = new Registry();
  collectDefaultMetrics({ register: found });
  return (ofThisProcess = found.getMetricsAsArray().map(({ name }) => found.getSingleMetric(name) as Metric));
}

function addOperations(app: FastifyInstance, options: ServerOptions): void {
  const metrics = options.metrics ?? new Registry();
  metrics.setDefaultLabels({ server: options.name });
  for (const metric of processMetrics()) metrics.registerMetric(metric);
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [metrics],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = requestRoute(request);
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...refusals.get(request),
      },
      'answered',
    );
    done();
  });

  const unlimited = { config: { rateLimit: false } } as const;
  app.get('/healthz', unlimited, () => ({ status: 'ok' }));
  app.get('/readyz', unlimited, async (_request, reply) => {
    try {
      if (isDraining(app.server)) throw baseErrors.unavailable(`${options.name} is shutting down.`);
      await options.ready?.();
    } catch (cause) {
      // It changes nothing, so older clients cannot read this as "nothing was stored".
      void reply.header('retry-after', '5');
      const known = toApiError(cause);
      throw known.status === 503 ? known : baseErrors.unavailable(`${options.name} is not ready.`, { cause });
    }
    return { status: 'ok' };
  });
  app.get('/metrics', unlimited, async (request, reply) => {
    await options.mayReadMetrics?.(request);
    void reply.type(metrics.contentType);
    return metrics.metrics();
  });
}

const brokenErrors: Record<BrokenStatus, () => ApiError> = {
  400: () => baseErrors.request_malformed('The request is not valid HTTP.'),
  408: () => baseErrors.request_timeout('The request did not arrive in time.'),
  431: () => baseErrors.headers_too_large('The headers have more than 16 KiB.'),
};

/** Errors of requests that are not valid HTTP, which never reach Fastify. */
function answerBrokenConnection(error: Error & { code?: string }, socket: Socket): void {
  refuseBroken(error, socket, (status) => ({
    type: JSON_API,
    body: JSON.stringify(errorDocument(brokenErrors[status]())),
  }));
}

function pathOnly(url: string): string {
  return (url.split(/[?#]/, 1)[0] ?? '').slice(0, 200);
}

/** The loggable part of an error: without the database's `detail` and `where`, which quote values. */
function describeError(error: Error & { code?: unknown }): { type: string; message: string; stack: string } {
  const code = typeof error.code === 'string' ? ` (${error.code})` : '';
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack ?? error.cause.message}` : '';
  return { type: `${error.name}${code}`, message: error.message, stack: `${error.stack ?? ''}${cause}` };
}
