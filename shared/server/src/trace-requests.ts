import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LogEvent } from 'kysely';
import type { Span } from '@site/contract/tracer';
import { inSpan, isTracing, startSpan } from '@site/contract/tracing';

/** A span for each request but health checks; its log lines have the `traceId`. Does nothing without tracing. */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers, routeOptions } = request;
    const route = routeOptions.url ?? 'unknown';
    if (/^\/(?:healthz|readyz|metrics)$/.test(route)) return done();
    const { traceparent } = headers;
    const span = startSpan({
      name: `${method} ${route}`,
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : undefined,
      attributes: { 'http.request.method': method, 'http.route': route },
    });
    if (!span) return done();
    spans.set(request, span);
    request.log = reply.log = request.log.child({ traceId: span.traceId });
    return inSpan(span, done);
  });
  // The body arrives outside of the request's context.
  app.addHook('preValidation', (request, _reply, done) => inSpan(spans.get(request), done));
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.set({ 'http.response.status_code': reply.statusCode });
    span?.end();
    done();
  });
}

/** Kysely's options for a span per statement: its text, never its values. */
export function traceQueries(): { log?: (event: LogEvent) => void } {
  if (!isTracing()) return {};
  return {
    log({ level, query, queryDurationMillis }) {
      const [operation = ''] = query.sql.trimStart().split(/\s/, 1);
      const startTime = Date.now() - queryDurationMillis;
      startSpan({
        name: operation,
        kind: 'client',
        startTime,
        attributes: {
          'db.system.name': 'postgresql',
          'db.query.text': query.sql,
          ...(level === 'error' ? { 'error.type': 'query' } : {}),
        },
      })?.end();
    },
  };
}
