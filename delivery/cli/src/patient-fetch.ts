import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

interface PatientRequest {
  method: string;
  headers: Record<string, string>;
  body: string | AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

/** TCP keepalive: detects a dead peer after this much silence. */
const PROBE_AFTER_MS = 30_000;
const NO_CONTENT = 204;

/**
 * Like fetch, but without redirects and without a response timeout: fetch gives up after five minutes, and
 * Node has no setting for that.
 */
export function patientFetch(url: string, { body, ...options }: PatientRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    // The same error as fetch throws.
    const fail = (cause: unknown) => reject(new TypeError('fetch failed', { cause }));
    let isAnswered = false;
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    const sent = request(url, options, (answer) => {
      isAnswered = true;
      responseOf(answer).then(resolve, fail);
    });
    sent.setSocketKeepAlive(true, PROBE_AFTER_MS);
    // A registry that refuses does not read the rest: its answer counts, not that the rest was not sent.
    const failUnanswered = (cause: unknown) => {
      if (!isAnswered) fail(cause);
    };
    sent.on('error', failUnanswered);
    if (typeof body === 'string') sent.end(body);
    else pipeline(Readable.from(body), sent).catch(failUnanswered);
  });
}

async function responseOf(answer: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, headers } = answer;
  const body = await text(answer);
  return new Response(status === NO_CONTENT ? null : body, {
    status,
    headers: headers.location === undefined ? {} : { location: headers.location },
  });
}
