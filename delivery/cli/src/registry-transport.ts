import { setTimeout as sleep } from 'node:timers/promises';
import { jsonText } from '@site/contract';
import { answerStatus, outcomeUnknown } from '@site/contract/answer-status';
import { IDEMPOTENCY_HEADER } from '@site/contract/idempotency-header';
import type { AnswerOf, Call } from '@site/contract/registry-calls/call';
import { readerOf, requestTo, type HttpRequest, type SentTo } from '@site/contract/registry-calls/client';
import * as v from 'valibot';
import { CliError, RegistryRefusal } from './cli-error.ts';
import { explain, RefusalSchema } from '@site/contract/refusal.schema';
import { patientFetch } from './patient-fetch.ts';
import type { Settings } from './settings.ts';
import { brokeOff, tlsProblem, tookTooLong, wasNotReached } from './was-not-reached.ts';

export interface Connection extends Settings {
  /** The idempotency key of the change that this connection is for. Default: a new one for each change. */
  key?: string | undefined;
  /** Ends whatever is under way. */
  signal?: AbortSignal | undefined;
  /** How long it waits before each further attempt. */
  retriesMs?: readonly number[] | undefined;
  /** Hears once that a change takes long. */
  onWait?: ((line: string) => void) | undefined;
  patience?: Partial<Patience> | undefined;
}

/** How long a registry is waited for that took the connection and says nothing. */
export interface Patience {
  /** For the answer to a question to begin: longer than the registry waits for its database, so that it can say so. */
  questionMs: number;
  /** For a change, before it is said. */
  noticeMs: number;
  /** For a change, in all. Rendering the pages of one version may take five minutes, and it may have to wait for its turn. */
  changeMs: number;
}

const PATIENCE: Patience = { questionMs: 20_000, noticeMs: 10_000, changeMs: 15 * 60_000 };

/** `isQuestion`: it changes nothing, and its answer is not a stream that takes long to begin, such as a backup. */
type Sent = HttpRequest & { isQuestion: boolean };

/** Some seconds, in which a registry that was killed in the middle is there again. */
const RETRIES_MS = [200, 400, 800, 1600, 3200];

/**
 * Sends calls to one registry: answers are read by the schema of their call, lost ones asked for again, refusals thrown as
 * CliError.
 */
export function createRegistryTransport({
  registryUrl,
  token,
  signal,
  retriesMs = RETRIES_MS,
  onWait = () => undefined,
  ...connection
}: Connection) {
  const patience = { ...PATIENCE, ...connection.patience };

  /** @param newKey the idempotency key of a call that is a change. */
  return async function send<C extends Call>(call: C, sent: SentTo<C>, newKey: string): Promise<AnswerOf<C>> {
    const isQuestion = call.method === 'GET' && typeof call.answer !== 'string';
    const request: Sent = { ...requestTo(call, sent, newKey), isQuestion };
    const key = request.headers[IDEMPOTENCY_HEADER];
    if (typeof call.answer === 'string') return (await stream(request)) as AnswerOf<C>;
    const { answer, mayHaveActed } = await exchange(request, async (response) => {
      const body = await response.text();
      const lost = key === undefined ? null : lostAnswer(response.status, body);
      if (lost) throw lost;
      return { status: response.status, text: body, location: response.headers.get('location') };
    });
    const { status, text, location } = answer;
    if (status >= 300) {
      const refused = refusal(status, text, location);
      throw key !== undefined && mayHaveActed ? refusedRetry(refused, key) : refused;
    }
    if (call.answer === null) return undefined as AnswerOf<C>;
    const parsed = v.safeParse(jsonText(readerOf(call)), text);
    if (parsed.success) return parsed.output;
    const [issue] = parsed.issues;
    throw new CliError(
      'registry_answer_invalid',
      `The answer of ${registryUrl} to /${request.path} is not what a registry sends (${v.getDotPath(issue) ?? 'the answer'}: ${issue.message}). Check SITE_REGISTRY, and that command line and registry are the same version.`,
    );
  };

  /** An answer that is too large to be held in memory. */
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
    const timers = timersOf(request, over);
    try {
      return await attempts(request, read, over.signal);
    } finally {
      timers.forEach(clearTimeout);
    }
  }

  /** Of a change: what is said and done when it takes long. Uploads take as long as they take, and show how far they are. */
  function timersOf(request: Sent, over: AbortController): NodeJS.Timeout[] {
    const key = request.headers[IDEMPOTENCY_HEADER];
    if (request.method === 'GET' || typeof request.body !== 'string') return [];
    const waits = `The registry has not answered for ${shownTime(patience.noticeMs)}; it may be at work. `;
    const notice = setTimeout(() => {
      onWait(
        key === undefined
          ? `${waits}Ctrl-C stops waiting.`
          : `${waits}This command waits for up to ${shownTime(patience.changeMs)}. If you stop it sooner, run it again with --key ${key}: the change is made only once.`,
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
    // Whether some attempt may have reached a registry that then acted.
    let mayHaveActed = false;
    // Before anything is sent: what an exchange refuses is not a lost answer.
    const bearer = typeof token === 'function' ? await token() : token;
    for (const delay of isStream(request) ? [null] : [...retriesMs, null]) {
      try {
        return { answer: await attempt(request, bearer, read, over), mayHaveActed };
      } catch (error) {
        mayHaveActed ||= error instanceof AnswerLost || !wasNotReached(error);
        if (signal?.aborted) throw interrupted(key);
        if (over.aborted) throw lost(over.reason, key, true);
        if (error instanceof Silence) throw silent(error);
        // It may still be at it, and nothing tells it that this is the same request: it would begin once more.
        if (key === undefined && tookTooLong(error)) throw stillAtWork(error);
        if (!mayHaveActed || delay === null) throw lost(error, key, mayHaveActed);
        // Where it is cut short, so is the next attempt, which tells why.
        await sleep(delay, undefined, { signal: anyOf(signal, over) }).catch(() => undefined);
      }
    }
    throw new Error('unreachable: the last attempt returns or throws');
  }

  /** A registry that has refused does not read the rest: nothing must go on sending it. */
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
      headers: { ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...headers },
      signal: anyOf(ended.signal, over, signal),
    };
    try {
      const response = await (mayTakeLong(request)
        ? patientFetch(url, { ...options, body: request.body })
        : fetch(url, {
            ...options,
            // No registry redirects: what does is something else, and must not be asked with the token.
            redirect: 'manual',
            ...(body === undefined ? {} : { body, duplex: 'half' }),
            // The global type, which is that of browsers, does not have "duplex".
          } as RequestInit));
      // The body gets as long again: a registry that stalls in the middle of its answer is as silent as one that never begins it.
      silence?.refresh();
      const answer = await read(response);
      if (isStream(request)) ended.abort();
      return answer;
    } finally {
      clearTimeout(silence);
    }
  }

  /** The lost attempt may still be at work, or was refused for another reason than this one. */
  function refusedRetry(cause: CliError, key: string): CliError {
    return new CliError(
      'answer_lost',
      `The registry at ${registryUrl} got the request, but its answer was lost, and it refused the retry: ${cause.message} It is not known whether the change was made. ${again(key)}`,
      { cause },
    );
  }

  function lost(cause: unknown, key: string | undefined, mayHaveActed: boolean): CliError {
    if (key !== undefined && mayHaveActed) {
      return new CliError(
        'answer_lost',
        `The registry at ${registryUrl} got the request, but its answer was lost${cause instanceof AnswerLost || cause instanceof Silence ? ` (${cause.message})` : ''}. It is not known whether the change was made. ${again(key)}`,
        { cause },
      );
    }
    const problem = tlsProblem(cause);
    if (problem !== null) {
      return new CliError(
        'registry_unreachable',
        `There is no encrypted connection to ${registryUrl}: ${problem}. Set SITE_REGISTRY to the address of the registry as it is, with http or https.`,
        { cause },
      );
    }
    if (brokeOff(cause))
      return new CliError(
        'registry_unreachable',
        `The connection to the registry at ${registryUrl} broke off before its answer came. Run the command again; if it stays so, look at the log of the registry, and check SITE_REGISTRY.`,
        { cause },
      );
    return new CliError(
      'registry_unreachable',
      `The registry at ${registryUrl} does not answer. Set SITE_REGISTRY to the address of the one that you use. In the repository of the site, "npm start" starts one; if it was started with another DATA_DIR, set the same here.`,
      { cause },
    );
  }

  function silent(cause: Silence): CliError {
    return new CliError(
      'registry_unreachable',
      `The registry at ${registryUrl} took the connection and did not answer, or not to the end, within ${shownTime(patience.questionMs)}. It may be overloaded, or something else listens there. Try again; if it stays so, look at its log, and check SITE_REGISTRY.`,
      { cause },
    );
  }

  function stillAtWork(cause: unknown): CliError {
    return new CliError(
      'registry_unreachable',
      `The registry at ${registryUrl} got the request, but did not answer it within five minutes. It may still be at it, so it was not asked again. Look at its log, and run the command again when it has ended.`,
      { cause },
    );
  }

  function refusal(status: number, text: string, location: string | null): CliError {
    if (status < 400) {
      const target = location === null ? null : URL.parse(location, registryUrl);
      return new CliError(
        'registry_answer_invalid',
        `${registryUrl} redirects (status ${status}) to ${target?.origin ?? 'no address'}, and no registry does that: the token was not sent there. Set SITE_REGISTRY to the address of the registry itself.`,
      );
    }
    const answer = v.safeParse(jsonText(RefusalSchema), text);
    if (!answer.success) {
      const said = `${registryUrl} answers with status ${status} and no reason`;
      return status >= 500
        ? new CliError(
            'registry_unreachable',
            `${said}: the registry behind it is away. Try again, or check SITE_REGISTRY.`,
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
        `${registryUrl} does not know this call: ${first.detail} Set SITE_REGISTRY to the address of the registry, without a path. If it is that, command line and registry are of different versions.`,
      );
    return new RegistryRefusal(first?.code ?? 'unknown', answer.output.errors.map(explain).join('\n'));
  }
}

/** Read while it is sent, so it is sent once. */
function isStream({ body }: HttpRequest): boolean {
  return body !== undefined && typeof body === 'object' && !(body instanceof Uint8Array);
}

/**
 * Work that has no key, such as a verification of everything or a restore: sent again it would begin once more, so its answer is waited
 * for, however long it takes.
 */
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

/** Nothing came for as long as it was waited for. */
class Silence extends Error {
  constructor(ms: number) {
    super(`Nothing came for ${shownTime(ms)}.`);
  }
}

function shownTime(ms: number): string {
  return ms < 120_000 ? `${ms / 1000} s` : `${ms / 60_000} minutes`;
}

function anyOf(...signals: (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

/** Something between here and the registry, or its end in the middle of the work, took the place of its answer. */
class AnswerLost extends Error {
  override name = 'AnswerLost';
}

interface Exchanged<T> {
  answer: T;
  /** Whether the answer of an earlier attempt was lost. */
  mayHaveActed: boolean;
}

/**
 * Whether a change may have been made all the same. A registry that is at work refuses with 503 and a reason. `unavailable` is no refusal: the
 * database may have committed before it went away, or the registry is closing. The console knows the same rule.
 */
function lostAnswer(status: number, text: string): AnswerLost | null {
  if (status !== answerStatus.notReady && !outcomeUnknown.includes(status)) return null;
  const refused = v.safeParse(jsonText(RefusalSchema), text);
  const [first] = refused.success ? refused.output.errors : [];
  if (status === answerStatus.notReady && first && first.code !== 'unavailable') return null;
  const reason = first?.code === 'unavailable' ? ` ${first.detail}` : '';
  return new AnswerLost(`Status ${status} came in place of an answer.${reason}`);
}

function interrupted(key: string | undefined): CliError {
  return new CliError(
    'interrupted',
    key === undefined
      ? 'Stopped; nothing that visitors see was changed.'
      : `Stopped while the registry was at work. It is not known whether the change was made. ${again(key)}`,
  );
}

/** @param key of the change whose answer is missing. */
function again(key: string): string {
  return `Run the same command again with --key ${key}: it is done only once, and you get its answer.`;
}
