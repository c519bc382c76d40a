import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { jsonText } from '@site/contract';
import { answerStatus, outcomeUnknown, IDEMPOTENCY_HEADER } from '@site/contract/http';
import { explain, RefusalSchema } from '@site/contract/refusal.schema';
import type { AnswerOf, Call } from '@site/contract/registry-calls/call';
import { answerSchema, requestTo, type HttpRequest, type SentTo } from '@site/contract/registry-calls/client';
import { CliError, RegistryRefusal } from './cli-error.ts';
import { traceHeaders } from '@site/contract/tracing';
import { proxyHint } from '@site/contract/env-proxy';
import { isConnectionReset, tlsProblem, isResponseTimeout, isUnreachable } from './fetch-errors.ts';
import type { Settings } from './settings.ts';

export interface Connection extends Settings {
  /** Of this connection's change. Default: a new key for each change. */
  key?: string | undefined;
  signal?: AbortSignal | undefined;
  retriesMs?: readonly number[] | undefined;
  onWait?: ((line: string) => void) | undefined;
  patience?: Partial<Timeouts> | undefined;
}

export interface Timeouts {
  /** For a query: longer than the registry's database timeout, so that it can report that. */
  questionMs: number;
  /** For a change, until the wait is reported. */
  noticeMs: number;
  /** For a change in total. Rendering a version's pages may take five minutes, plus the time in the queue. */
  changeMs: number;
}

const TIMEOUTS: Timeouts = { questionMs: 20_000, noticeMs: 10_000, changeMs: 15 * 60_000 };

/** `isQuestion`: a read-only call whose response starts soon, unlike a backup. */
type Sent = HttpRequest & { isQuestion: boolean };

/** Long enough for a killed registry to restart. */
const RETRIES_MS = [200, 400, 800, 1600, 3200];

/** Parses responses with the call's schema, retries lost ones, and throws error responses as CliError. */
export function createRegistryTransport({
  registryUrl,
  token,
  signal,
  retriesMs = RETRIES_MS,
  onWait = () => undefined,
  ...connection
}: Connection) {
  const patience = { ...TIMEOUTS, ...connection.patience };

  return async function send<C extends Call>(call: C, sent: SentTo<C>, newKey: string): Promise<AnswerOf<C>> {
    const isQuestion = call.method === 'GET' && typeof call.answer !== 'string';
    const request: Sent = { ...requestTo(call, sent, newKey), isQuestion };
    const key = request.headers[IDEMPOTENCY_HEADER];
    if (typeof call.answer === 'string') return (await stream(request)) as AnswerOf<C>;
    const { answer, mayHaveActed } = await exchange(request, async (response) => {
      const body = await response.text();
      const lost = key === undefined ? null : lostAnswer(response, body);
      if (lost) throw lost;
      return { status: response.status, text: body, location: response.headers.get('location') };
    });
    const { status, text, location } = answer;
    if (status >= 300) {
      const refused = refusal(status, text, location);
      throw key !== undefined && mayHaveActed ? refusedRetry(refused, key) : refused;
    }
    if (call.answer === null) return undefined as AnswerOf<C>;
    const parsed = v.safeParse(jsonText(answerSchema(call)), text);
    if (parsed.success) return parsed.output;
    const [issue] = parsed.issues;
    throw new CliError(
      'registry_answer_invalid',
      `The response of ${registryUrl} to /${request.path} is not from a registry ` +
        `(${v.getDotPath(issue) ?? 'the response'}: ${issue.message}). Check SITE_REGISTRY, and that command ` +
        'line and registry have the same version.',
    );
  };

  /** For responses that are too large for memory. */
  async function stream(request: Sent): Promise<AsyncIterable<Uint8Array>> {
    const { answer } = await exchange(request, async (response) =>
      response.ok && response.body
        ? (response.body as unknown as AsyncIterable<Uint8Array>)
        : {
            status: response.status,
            text: await response.text(),
            location: response.headers.get('location'),
          },
    );
    if ('text' in answer) throw refusal(answer.status, answer.text, answer.location);
    return answer;
  }

  async function exchange<T>(request: Sent, read: (response: Response) => Promise<T>): Promise<Exchanged<T>> {
    const over = new AbortController();
    const timers = startTimers(request, over);
    try {
      return await attempts(request, read, over.signal);
    } finally {
      timers.forEach(clearTimeout);
    }
  }

  /** Uploads have no limit; they show progress. */
  function startTimers(request: Sent, over: AbortController): NodeJS.Timeout[] {
    const key = request.headers[IDEMPOTENCY_HEADER];
    if (request.method === 'GET' || typeof request.body !== 'string') return [];
    const waits = `The registry has not responded for ${durationText(patience.noticeMs)}; it may be working. `;
    const notice = setTimeout(() => {
      onWait(
        key === undefined
          ? `${waits}Ctrl-C stops waiting.`
          : `${waits}This command waits for up to ${durationText(patience.changeMs)}. If you stop it sooner, run ` +
              `it again with --key ${key}: the change is made only once.`,
      );
    }, patience.noticeMs);
    if (key === undefined) return [notice];
    return [notice, setTimeout(() => over.abort(new Silence(patience.changeMs)), patience.changeMs)];
  }

  async function attempts<T>(
    request: Sent,
    read: (response: Response) => Promise<T>,
    over: AbortSignal,
  ): Promise<Exchanged<T>> {
    const key = request.headers[IDEMPOTENCY_HEADER];
    let mayHaveActed = false;
    // Before the request: an error of the exchange is not a lost response.
    const bearer = typeof token === 'function' ? await token() : token;
    for (const delay of isStream(request) ? [null] : [...retriesMs, null]) {
      try {
        return { answer: await attempt(request, bearer, read, over), mayHaveActed };
      } catch (error) {
        mayHaveActed ||= error instanceof AnswerLost || !isUnreachable(error);
        if (signal?.aborted) throw interrupted(key);
        if (over.aborted) throw lost(over.reason, key, true);
        if (error instanceof Silence) throw silent(error);
        // The registry may still be working and cannot recognize the retry: it would start again.
        if (key === undefined && isResponseTimeout(error)) throw responseTimeout(error);
        if (!mayHaveActed || delay === null) throw lost(error, key, mayHaveActed);
        // If the delay is aborted, the next attempt is as well, and throws the reason.
        await sleep(delay, undefined, { signal: anySignal(signal, over) }).catch(() => undefined);
      }
    }
    throw new Error('unreachable: the last attempt returns or throws');
  }

  /** After an error response the registry does not read the rest of the body: stop sending it. */
  async function attempt<T>(
    request: Sent,
    bearer: string | null,
    read: (response: Response) => Promise<T>,
    over: AbortSignal,
  ): Promise<T> {
    const { method, path, headers, body } = request;
    const ended = new AbortController();
    const silence = request.isQuestion
      ? setTimeout(() => ended.abort(new Silence(patience.questionMs)), patience.questionMs)
      : undefined;
    const url = `${registryUrl}/${path}`;
    const options = {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...headers,
        ...traceHeaders(),
      },
      signal: anySignal(ended.signal, over, signal),
    };
    try {
      const response = await (mayTakeLong(request)
        ? fetchWithoutTimeout(url, { ...options, body: request.body })
        : fetch(url, {
            ...options,
            // A registry never redirects. Another server must not get the token.
            redirect: 'manual',
            ...(body === undefined ? {} : { body, duplex: 'half' }),
            // The global type, which is for browsers, lacks "duplex".
          } as RequestInit));
      // Restarts the timeout for the body: a registry may also stall in the middle of its response.
      silence?.refresh();
      const answer = await read(response);
      if (isStream(request)) ended.abort();
      return answer;
    } finally {
      clearTimeout(silence);
    }
  }

  /** The lost attempt may still be running, or have been rejected for another reason. */
  function refusedRetry(cause: CliError, key: string): CliError {
    return new CliError(
      'answer_lost',
      `The registry at ${registryUrl} received the request, but its response was lost, and it rejected the ` +
        `retry: ${cause.message} It is unknown whether the change was made. ${retryAdvice(key)}`,
      { cause },
    );
  }

  function lost(cause: unknown, key: string | undefined, mayHaveActed: boolean): CliError {
    if (key !== undefined && mayHaveActed) {
      return new CliError(
        'answer_lost',
        `The registry at ${registryUrl} received the request, but its response was ` +
          `lost${cause instanceof AnswerLost || cause instanceof Silence ? ` (${cause.message})` : ''}. It is ` +
          `unknown whether the change was made. ${retryAdvice(key)}`,
        { cause },
      );
    }
    const problem = tlsProblem(cause);
    if (problem !== null) {
      return new CliError(
        'registry_unreachable',
        `No encrypted connection to ${registryUrl}: ${problem}. Set SITE_REGISTRY to the registry's URL with the ` +
          'correct scheme, http or https.' +
          proxyHint(process.env, cause),
        { cause },
      );
    }
    if (isConnectionReset(cause))
      return new CliError(
        'registry_unreachable',
        `The connection to the registry at ${registryUrl} was closed before its response. Run the command again; ` +
          "if the problem persists, check the registry's log and SITE_REGISTRY.",
        { cause },
      );
    return new CliError(
      'registry_unreachable',
      `The registry at ${registryUrl} does not respond. Set SITE_REGISTRY to your registry's URL. In the site's ` +
        'repository, "npm start" starts one; if it uses another DATA_DIR, set the same here.' +
        proxyHint(process.env, cause),
      { cause },
    );
  }

  function silent(cause: Silence): CliError {
    return new CliError(
      'registry_unreachable',
      `The registry at ${registryUrl} accepted the connection but sent no complete response within ` +
        `${durationText(patience.questionMs)}. It may be overloaded, or another program listens there. Try ` +
        'again; if the problem persists, check its log and SITE_REGISTRY.',
      { cause },
    );
  }

  function responseTimeout(cause: unknown): CliError {
    return new CliError(
      'registry_unreachable',
      `The registry at ${registryUrl} received the request, but did not respond within five minutes. It may ` +
        'still be working, so the request was not repeated. Check its log, and run the command again when it ' +
        'has finished.',
      { cause },
    );
  }

  function refusal(status: number, text: string, location: string | null): CliError {
    if (status < 400) {
      const target = location === null ? null : URL.parse(location, registryUrl);
      return new CliError(
        'registry_answer_invalid',
        `${registryUrl} redirects (status ${status}) to ${target?.origin ?? 'no address'}. A registry never ` +
          "redirects, so the token was not sent there. Set SITE_REGISTRY to the registry's own URL.",
      );
    }
    const answer = v.safeParse(jsonText(RefusalSchema), text);
    if (!answer.success) {
      const said = `${registryUrl} responds with status ${status} and no error message`;
      return status >= 500
        ? new CliError(
            'registry_unreachable',
            `${said}: the registry behind it is unreachable. Try again, or check SITE_REGISTRY.`,
          )
        : new CliError(
            'registry_answer_invalid',
            `${said}. Check SITE_REGISTRY: this may not be a registry.`,
          );
    }
    const [first] = answer.output.errors;
    if (first?.code === 'route_not_found')
      return new CliError(
        'registry_answer_invalid',
        `${registryUrl} does not know this call: ${first.detail} Set SITE_REGISTRY to the registry's URL, ` +
          'without a path. If it is correct, command line and registry have different versions.',
      );
    return new RegistryRefusal(first?.code ?? 'unknown', answer.output.errors.map(explain).join('\n'));
  }
}

function isStream({ body }: HttpRequest): boolean {
  return body !== undefined && typeof body === 'object' && !(body instanceof Uint8Array);
}

/** Work without a key, such as a restore, would start once more if sent again, so there is no timeout. */
function mayTakeLong(
  request: Sent,
): request is Sent & { body: Exclude<HttpRequest['body'], Uint8Array | undefined> } {
  const { method, headers, body } = request;
  return (
    method !== 'GET' &&
    headers[IDEMPOTENCY_HEADER] === undefined &&
    (typeof body === 'string' || isStream(request))
  );
}

class Silence extends Error {
  constructor(ms: number) {
    super(`No response within ${durationText(ms)}.`);
  }
}

function durationText(ms: number): string {
  return ms < 120_000 ? `${ms / 1000} s` : `${ms / 60_000} minutes`;
}

function anySignal(...signals: (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

class AnswerLost extends Error {
  override name = 'AnswerLost';
}

interface Exchanged<T> {
  answer: T;
  mayHaveActed: boolean;
}

/**
 * Whether a change may have been made despite the error response. A rejection is a 503 with a reason. `unavailable`
 * is none: the database may have committed before the connection was lost. The console has the same rule.
 */
function lostAnswer({ status }: Response, text: string): AnswerLost | null {
  if (status !== answerStatus.notReady && !outcomeUnknown.includes(status)) return null;
  const refused = v.safeParse(jsonText(RefusalSchema), text);
  const [first] = refused.success ? refused.output.errors : [];
  const isRejection = first && first.code !== 'unavailable';
  if (status === answerStatus.notReady && isRejection) return null;
  const reason = first?.code === 'unavailable' ? ` ${first.detail}` : '';
  return new AnswerLost(`Status ${status} came instead of a response.${reason}`);
}

function interrupted(key: string | undefined): CliError {
  return new CliError(
    'interrupted',
    key === undefined
      ? 'Stopped; the live site was not changed.'
      : `Stopped while the registry was working. It is unknown whether the change was made. ${retryAdvice(key)}`,
  );
}

function retryAdvice(key: string): string {
  return `Run the same command again with --key ${key}: the change is made only once, and you get its response.`;
}

interface UnlimitedRequest {
  method: string;
  headers: Record<string, string>;
  body: string | AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

/** TCP keepalive: detects a dead peer after this much silence. */
const PROBE_AFTER_MS = 30_000;
const NO_CONTENT = 204;

/** No redirects and no response timeout: fetch gives up after five minutes, and Node has no setting for that. */
export function fetchWithoutTimeout(url: string, { body, ...options }: UnlimitedRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    // The error that fetch throws.
    const fail = (cause: unknown) => reject(new TypeError('fetch failed', { cause }));
    let isAnswered = false;
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    const sent = request(url, options, (answer) => {
      isAnswered = true;
      toResponse(answer).then(resolve, fail);
    });
    sent.setSocketKeepAlive(true, PROBE_AFTER_MS);
    // A registry that refuses does not read the rest of the body: its response counts.
    const failUnanswered = (cause: unknown) => {
      if (!isAnswered) fail(cause);
    };
    sent.on('error', failUnanswered);
    if (typeof body === 'string') sent.end(body);
    else pipeline(Readable.from(body), sent).catch(failUnanswered);
  });
}

async function toResponse(answer: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, headers } = answer;
  const body = await text(answer);
  return new Response(status === NO_CONTENT ? null : body, {
    status,
    headers: headers.location === undefined ? {} : { location: headers.location },
  });
}
