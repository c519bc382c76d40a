import { setTimeout as sleep } from 'node:timers/promises';
import { jsonText } from '@site/contract';
import { IDEMPOTENCY_HEADER } from '@site/contract/idempotency-header';
import type { AnswerOf, Call } from '@site/contract/registry-calls/call';
import { readerOf, requestTo, type HttpRequest, type SentTo } from '@site/contract/registry-calls/client';
import * as v from 'valibot';
import { CliError, RegistryRefusal } from './cli-error.ts';
import { explain, RefusalSchema } from '@site/contract/refusal.schema';
import { patientFetch } from './patient-fetch.ts';
import type { Settings } from './settings.ts';
import { tookTooLong, wasNotReached } from './was-not-reached.ts';

export interface Connection extends Settings {
  /** The idempotency key of the change that this connection is for. Default: a new one for each change. */
  key?: string | undefined;
  /** Ends whatever is under way. */
  signal?: AbortSignal | undefined;
  /** How long it waits before each further attempt. */
  retriesMs?: readonly number[] | undefined;
}

/** Some seconds, in which a registry that was killed in the middle is there again. */
const RETRIES_MS = [200, 400, 800, 1600, 3200];

/**
 * Sends calls to one registry: answers are read by the schema of their call, lost ones asked for again, refusals thrown as
 * CliError.
 */
export function createRegistryTransport({ registryUrl, token, signal, retriesMs = RETRIES_MS }: Connection) {
  /** @param newKey the idempotency key of a call that is a change. */
  return async function send<C extends Call>(call: C, sent: SentTo<C>, newKey: string): Promise<AnswerOf<C>> {
    const request = requestTo(call, sent, newKey);
    const key = request.headers[IDEMPOTENCY_HEADER];
    if (typeof call.answer === 'string') return (await stream(request)) as AnswerOf<C>;
    const { status, text } = await exchange(request, async (response) => {
      const body = await response.text();
      if (key !== undefined && isLost(response.status, body)) throw new AnswerLost(response.status);
      return { status: response.status, text: body };
    });
    if (status >= 300) throw refusal(status, text);
    if (call.answer === null) return undefined as AnswerOf<C>;
    const answer = v.safeParse(jsonText(readerOf(call)), text);
    if (answer.success) return answer.output;
    const [issue] = answer.issues;
    throw new CliError(
      'registry_answer_invalid',
      `The answer of ${registryUrl} to /${request.path} is not what a registry sends (${v.getDotPath(issue) ?? 'the answer'}: ${issue.message}). Check SITE_REGISTRY, and that command line and registry are the same version.`,
    );
  };

  /** An answer that is too large to be held in memory. */
  async function stream(request: HttpRequest): Promise<AsyncIterable<Uint8Array>> {
    const answer = await exchange(request, async (response) =>
      response.ok && response.body
        ? (response.body as unknown as AsyncIterable<Uint8Array>)
        : { status: response.status, text: await response.text() },
    );
    if ('text' in answer) throw refusal(answer.status, answer.text);
    return answer;
  }

  async function exchange<T>(request: HttpRequest, read: (response: Response) => Promise<T>): Promise<T> {
    const key = request.headers[IDEMPOTENCY_HEADER];
    // Whether some attempt may have reached a registry that then acted.
    let mayHaveActed = false;
    // Before anything is sent: what an exchange refuses is no lost answer.
    const bearer = typeof token === 'function' ? await token() : token;
    for (const delay of isStream(request) ? [null] : [...retriesMs, null]) {
      try {
        return await attempt(request, bearer, read);
      } catch (error) {
        mayHaveActed ||= error instanceof AnswerLost || !wasNotReached(error);
        if (signal?.aborted) throw interrupted(key);
        // It may still be at it, and nothing tells it that this is the same request: it would begin once more.
        if (key === undefined && tookTooLong(error)) throw stillAtWork(error);
        if (!mayHaveActed || delay === null) throw lost(error, key, mayHaveActed);
        await sleep(delay, undefined, { signal }).catch(() => {
          throw interrupted(key);
        });
      }
    }
    throw new Error('unreachable: the last attempt returns or throws');
  }

  /** A registry that has refused does not read the rest: nothing must go on sending it. */
  async function attempt<T>(
    request: HttpRequest,
    bearer: string | null,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { method, path, headers, body } = request;
    const ended = new AbortController();
    const url = `${registryUrl}/${path}`;
    const options = {
      method,
      headers: { ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...headers },
      signal: AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]),
    };
    const response = await (mayTakeLong(request)
      ? patientFetch(url, { ...options, body: request.body })
      : fetch(url, {
          ...options,
          // No registry redirects: what does is something else, and must not be asked with the token.
          redirect: 'manual',
          ...(body === undefined ? {} : { body, duplex: 'half' }),
          // The global type, which is that of browsers, does not have "duplex".
        } as RequestInit));
    const answer = await read(response);
    if (isStream(request)) ended.abort();
    return answer;
  }

  function lost(cause: unknown, key: string | undefined, mayHaveActed: boolean): CliError {
    if (key !== undefined && mayHaveActed) {
      return new CliError(
        'answer_lost',
        `The registry at ${registryUrl} got the request, but its answer was lost${cause instanceof AnswerLost ? ` (${cause.message})` : ''}. It is not known whether the change was made. ${again(key)}`,
        { cause },
      );
    }
    return new CliError(
      'registry_unreachable',
      `The registry at ${registryUrl} does not answer. Set SITE_REGISTRY to the address of the one that you use. In the repository of the site, "npm start" starts one; if it was started with another DATA_DIR, set the same here.`,
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

  function refusal(status: number, text: string): CliError {
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
    return new RegistryRefusal(first?.code ?? 'unknown', answer.output.errors.map(explain).join('\n'));
  }
}

/** Read while it is sent, so it is sent once. */
function isStream({ body }: HttpRequest): boolean {
  return body !== undefined && typeof body === 'object' && !(body instanceof Uint8Array);
}

/**
 * Work that has no key, such as a verification of everything: sent again it would begin once more, so its answer is waited for,
 * however long it takes.
 */
function mayTakeLong(request: HttpRequest): request is HttpRequest & { body: string } {
  const { method, headers, body } = request;
  return method !== 'GET' && headers[IDEMPOTENCY_HEADER] === undefined && typeof body === 'string';
}

/** Something between here and the registry, or its end in the middle of the work, took the place of its answer. */
class AnswerLost extends Error {
  constructor(status: number) {
    super(`Status ${status} came in place of an answer.`);
  }
}

/** A change may have been made all the same. A registry that is at work refuses with 503 and a reason. */
function isLost(status: number, text: string): boolean {
  if (status === 503) return !v.is(jsonText(RefusalSchema), text);
  return status === 500 || status === 502 || status === 504;
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
