import { randomUUID } from 'node:crypto';
import type { Span } from '@site/contract/tracer';
import { isTracing, startSpan } from '@site/contract/tracing';
import { usableRequestId } from '@site/server/request-id';
import type { EdgeRequest, EdgeResponse } from '../server/listen.ts';
import type { AccessLog } from '../telemetry/access-log.ts';
import { errorMessage, type EdgeLog } from '../telemetry/log.ts';
import type { EdgeMetrics } from '../telemetry/metrics.ts';
import type { View } from './choose-view.ts';
import type { RequestTarget } from './read-target.ts';
import type { Route } from './route-request.ts';
import type { SentReply } from './send.ts';

export interface WatchOptions {
  sendWithinMs: number;
  isProxied(request: EdgeRequest): boolean;
  log: EdgeLog;
  /** Null disables it. */
  accessLog: AccessLog | null;
  metrics: EdgeMetrics;
}

export interface Arrived {
  target: RequestTarget;
  view: View;
}

export interface Watch {
  /** In the log, the response and error pages. */
  requestId: string;
  /** Null while nothing is traced. */
  span: Span | null;
  chose(view: View): void;
  routed(route: Route): void;
  failed(error: unknown, what: string): void;
  isDisconnected(): boolean;
  sending(sent: SentReply): void;
}

/** Logged if the visitor disconnected before the response; the status that nginx uses. */
const CLIENT_CLOSED_REQUEST = 499;

/** From its arrival, because a visitor can disconnect during a lookup, until its response is sent. */
export function createRequestWatch({
  sendWithinMs,
  isProxied,
  log,
  accessLog,
  metrics,
}: WatchOptions): (request: EdgeRequest, response: EdgeResponse, asked: Arrived) => Watch {
  return (request, response, { target, view: firstView }) => {
    const startedAt = performance.now();
    // Read now: a closed connection has no address. Visitors cannot choose ids.
    const requestId =
      (isProxied(request) ? usableRequestId(request.headers['x-request-id']) : null) ?? randomUUID();
    const span = isTracing() ? requestSpan(request, isProxied(request)) : null;
    let view = firstView;
    let route: Route | null = null;
    let sent: SentReply | null = null;
    let isComplete = false;
    let isOver = false;
    let cut: NodeJS.Timeout | undefined;
    const kind = () => route?.kind ?? 'error';

    response.once('finish', () => {
      isComplete = true;
      // Node releases the connection before its bytes are sent; `finish` signals that they are.
      clearTimeout(cut);
    });
    response.once('close', () => {
      isOver = true;
      clearTimeout(cut);
      const ms = performance.now() - startedAt;
      metrics.took(ms);
      const { status, bytes } = sent ?? { status: CLIENT_CLOSED_REQUEST, bytes: 0 };
      accessLog?.add({
        requestId,
        method: request.method ?? '',
        status,
        bytes,
        route: loggedPath(target, route, status),
        kind: kind(),
        release: view.release?.id ?? null,
        ms: Math.round(ms * 100) / 100,
        complete: isComplete,
        traceId: span?.traceId,
      });
      span?.set({
        'http.route': loggedPath(target, route, status),
        'http.response.status_code': status,
        'site.release': view.release?.id ?? '',
      });
      span?.end();
    });

    return {
      requestId,
      span,
      chose: (chosen) => void (view = chosen),
      routed(routed) {
        route = routed;
        if (routed.kind !== 'document' && routed.kind !== 'search-page') return;
        metrics.documentShown(view.cohort);
        if (isOpenedByBrowser(request)) metrics.documentOpened();
      },
      failed(error, what) {
        const asked = {
          requestId,
          ...(span ? { traceId: span.traceId } : {}),
          route: loggedPath(target, route, 500),
          code: 'internal',
        };
        log.error({ ...asked, problem: errorMessage(error) }, what);
      },
      isDisconnected: () => isOver,
      sending(message) {
        sent = message;
        metrics.answered(kind(), message.status, message.bytes);
        cut = setTimeout(() => {
          metrics.answerCut();
          request.socket.destroy();
        }, sendWithinMs).unref();
      },
    };
  };
}

/** A proxy's trace continues; visitors cannot choose ids. */
function requestSpan(
  { method = '', headers: { traceparent } }: EdgeRequest,
  isProxied: boolean,
): Span | null {
  return startSpan({
    name: method,
    kind: 'server',
    parent: isProxied && typeof traceparent === 'string' ? traceparent : undefined,
    attributes: { 'http.request.method': method },
  });
}

/** Only then does the page's script report an outcome: not for a monitor, most crawlers, or a prefetch. */
function isOpenedByBrowser({ method, headers }: EdgeRequest): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-purpose'] === undefined;
}

/**
 * Without the query, and `*` for unknown paths, because both may contain anything, such as an email address typed
 * into the wrong field. @param route null if the request was not routed.
 */
export function loggedPath(target: RequestTarget, route: Route | null, status: number): string {
  switch (route?.kind) {
    case 'redirect':
      return route.from;
    case 'old-asset':
      return status < 400 ? target.path : '/assets/*';
    case 'other-host':
    case 'method-not-allowed':
      return loggedPath(target, route.instead, status);
    case undefined:
    case 'not-found':
    case 'bad-request':
    case 'no-release':
    case 'refused-script':
      return '*';
    default:
      return target.path;
  }
}
