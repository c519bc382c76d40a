import { randomUUID } from 'node:crypto';
import { messageOf, type EdgeLog } from '../telemetry/log.ts';
import type { AccessLog } from '../telemetry/access-log.ts';
import type { EdgeMetrics } from '../telemetry/metrics.ts';
import type { EdgeRequest, EdgeResponse } from '../server/listen.ts';
import type { View } from './choose-view.ts';
import { loggedPath } from './logged-path.ts';
import type { RequestTarget } from './read-target.ts';
import type { Route } from './route-request.ts';
import type { SentReply } from './send.ts';

export interface WatchOptions {
  /** An answer that its reader has not taken by then is cut off. */
  sendWithinMs: number;
  /** Whether it came from a proxy whose word counts. */
  isProxied(request: EdgeRequest): boolean;
  log: EdgeLog;
  /** Null: none is kept. */
  accessLog: AccessLog | null;
  metrics: EdgeMetrics;
}

/** What is known of a request when it comes. */
export interface Arrived {
  target: RequestTarget;
  /** What it is answered from, as long as no other view was chosen. */
  view: View;
}

/** What the steps of one request tell about it, for logs and counters. */
export interface Watch {
  chose(view: View): void;
  routed(route: Route): void;
  failed(error: unknown, what: string): void;
  /** Whether the visitor went away meanwhile. */
  hasLeft(): boolean;
  /** The answer is on its way: from now on its reader has to take it. */
  sending(sent: SentReply): void;
}

/** Logged for a visitor who left before there was an answer, as others do who have no status for it. */
const LEFT = 499;

/**
 * Logs and counts requests: each from its first moment on, because a visitor can leave while something is looked up for them,
 * until the answer has left: for how long, and whether its reader takes it at all.
 */
export function createRequestWatch({
  sendWithinMs,
  isProxied,
  log,
  accessLog,
  metrics,
}: WatchOptions): (request: EdgeRequest, response: EdgeResponse, asked: Arrived) => Watch {
  return (request, response, { target, view: firstView }) => {
    const startedAt = performance.now();
    // A connection that is gone has no address any more.
    const given = accessLog && isProxied(request) ? givenId(request) : null;
    let view = firstView;
    let route: Route | null = null;
    let sent: SentReply | null = null;
    let isComplete = false;
    let isOver = false;
    let cut: NodeJS.Timeout | undefined;
    const kind = () => route?.kind ?? 'error';

    response.once('finish', () => {
      isComplete = true;
      // Node lets go of the connection before its bytes have left: `finish` says that they have.
      clearTimeout(cut);
    });
    response.once('close', () => {
      isOver = true;
      clearTimeout(cut);
      const ms = performance.now() - startedAt;
      metrics.took(ms);
      const { status, bytes } = sent ?? { status: LEFT, bytes: 0 };
      accessLog?.add({
        id: given ?? randomUUID(),
        method: request.method ?? '',
        status,
        bytes,
        path: loggedPath(target, route, status),
        kind: kind(),
        release: view.release?.id ?? null,
        ms: Math.round(ms * 100) / 100,
        complete: isComplete,
      });
    });

    return {
      chose: (chosen) => void (view = chosen),
      routed(routed) {
        route = routed;
        if (routed.kind !== 'document' && routed.kind !== 'search-page') return;
        metrics.documentShown(view.cohort);
        if (isOpenedByBrowser(request)) metrics.documentOpened();
      },
      failed(error, what) {
        const path = loggedPath(target, route, 500);
        log.error({ path, problem: messageOf(error) }, what);
      },
      hasLeft: () => isOver,
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

/** Only then does its script report how the page went: not for a monitor, most crawlers, or a page that is fetched ahead. */
function isOpenedByBrowser({ method, headers }: EdgeRequest): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-purpose'] === undefined;
}

/** The id that the proxy in front gave the request, so that both logs can be read together. A visitor gives none. */
function givenId({ headers }: EdgeRequest): string | null {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : null;
}
