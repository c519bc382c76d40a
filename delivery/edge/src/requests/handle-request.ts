import { drawVariants, variantKey, type Variants } from '@site/contract';
import { answerStatus } from '@site/contract/http';
import { MAX_REPORT_BYTES } from '@site/contract/signals/report-limits';
import { inSpan } from '@site/contract/tracing';
import { clientNetwork } from '@site/server/client-address';
import type { EdgeRequest, EdgeResponse } from '../server/listen.ts';
import { createViewChooser, liveView, type ViewOptions } from './choose-view.ts';
import { addEncoding } from '@site/server/negotiate';
import { createBodyReader } from './read-body.ts';
import { pageAtOrigin } from './other-host.ts';
import { readTarget } from './read-target.ts';
import { identified, text, unavailable } from './replies.ts';
import type { Reply } from './reply.ts';
import { createReplier, withViewHeaders, type ReplyOptions } from './reply-to.ts';
import { toSubnet } from '../signals/network-quota.ts';
import { routeRequest } from './route-request.ts';
import { send } from './send.ts';
import { refusedScript } from './worker-scripts.ts';
import { createRequestWatch, type Arrived, type Watch, type WatchOptions } from './watch-request.ts';

export interface HandlerOptions extends ViewOptions, ReplyOptions, WatchOptions {
  previews: ReplyOptions['previews'];
  random(): number;
  readAddress(request: EdgeRequest): string;
  hintsOverHttp1: boolean;
  redirectsOtherHosts: boolean;
  /** Whether a registry purges shared caches when this edge's release changes. */
  isPurged(): boolean;
  /** For tests. */
  answerWithinMs?: number | undefined;
}

/**
 * Below the proxy's timeout of 20 s (`proxy_read_timeout` in deploy/nginx.conf), after which it would count a slow
 * registry or store as a failure of the edge.
 */
const ANSWER_WITHIN_MS = 15_000;

const BODY_LIMITS = { maxBytes: MAX_REPORT_BYTES, maxConcurrent: 500, maxPerCaller: 50, withinMs: 10_000 };

/** Handles every request of a visitor in four steps: choose the view, route, reply, send. Never throws. */
export function createRequestHandler(
  options: HandlerOptions,
): (request: EdgeRequest, response: EdgeResponse) => Promise<void> {
  const { releases, random, readAddress, hintsOverHttp1, answerWithinMs = ANSWER_WITHIN_MS } = options;
  const chooseView = createViewChooser(options);
  const replyTo = createReplier(options);
  const watch = createRequestWatch(options);
  const readBody = createBodyReader(BODY_LIMITS);
  const draw = (variants: Variants) => variantKey(drawVariants(variants, random));

  /** The first three steps. */
  async function prepare(
    request: EdgeRequest,
    { target, view: firstView }: Arrived,
    watched: Watch,
  ): Promise<Reply> {
    const { method = '', headers } = request;
    const caller = () => clientNetwork(readAddress(request));
    const deadline = performance.now() + answerWithinMs;
    let view = firstView;
    try {
      view = await before(
        deadline,
        chooseView(target, {
          cookie: headers.cookie,
          caller,
          isDocument: headers['sec-fetch-dest'] === 'document',
        }),
      );
      watched.chose(view);
      const routed = routeRequest({ method, target }, view.release, draw);
      const redirect =
        options.redirectsOtherHosts &&
        pageAtOrigin(request, { target, route: routed, view, isProxied: options.isProxied(request) });
      const route = refusedScript(
        redirect || routed,
        headers,
        view.release?.document.release.config.formerWorkers,
      );
      watched.routed(route);
      const reply = await before(
        deadline,
        replyTo(route, {
          view,
          caller,
          request: { method, headers, body: () => readBody(request, toSubnet(caller())) },
        }),
      );
      const added = addEncoding(headers['accept-encoding'], reply.body);
      if (added) await added;
      return withViewHeaders(view, reply);
    } catch (error) {
      watched.failed(error, 'a request failed');
      if (error instanceof DeadlineError)
        return withViewHeaders(view, unavailable(answerStatus.dependencyDown));
      return withViewHeaders(view, text(answerStatus.failed, 'Something went wrong here. Please try again.'));
    }
  }

  return async (request, response) => {
    const asked = { target: readTarget(request.url), view: liveView(releases.live()) };
    const watched = watch(request, response, asked);
    const reply = await inSpan(watched.span, () => prepare(request, asked, watched));
    // Discards an unread body.
    request.resume();
    if (watched.isDisconnected()) return;
    try {
      const { requestId } = watched;
      const sent = send(request, response, identified(reply, requestId), {
        requestId,
        hintsOverHttp1,
        isPurged: options.isPurged(),
      });
      watched.sending(sent);
    } catch (error) {
      watched.failed(error, 'an answer could not be sent');
      response.destroy();
    }
  };
}

class DeadlineError extends Error {
  override name = 'DeadlineError';
}

/** Most steps are synchronous and need no timer. A late step continues for the next caller. @throws DeadlineError */
function before<T>(deadline: number, step: T | Promise<T>): T | Promise<T> {
  if (!(step instanceof Promise)) return step;
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    const ms = deadline - performance.now();
    timer = setTimeout(() => reject(new DeadlineError('The answer was not ready in time.')), ms);
  });
  return Promise.race([step, late]).finally(() => clearTimeout(timer));
}
