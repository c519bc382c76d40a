import type { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { CliError, RegistryRefusal } from './cli-error.ts';
import { ErrorsSchema } from './registry-answers.schema.ts';
import type { Settings } from './settings.ts';

export interface Connection extends Settings {
  /** The idempotency key of the change that this connection is for. Default: a new one for each change. */
  key?: string | undefined;
  /** Ends whatever is under way. */
  signal?: AbortSignal | undefined;
  /** How long it waits before each further attempt. */
  retriesMs?: readonly number[] | undefined;
}

interface Call {
  method?: 'GET' | 'POST' | 'PUT';
  body?: object;
  bytes?: Buffer;
  /** Read while it is sent, so it is sent once. */
  stream?: ReadableStream<Uint8Array>;
  key?: string;
  /** The version that the author saw live: refused when it is not any more, unless it is the retry of what was done. */
  ifLive?: string | undefined;
}

interface Response {
  status: number;
  text: string;
}

/** Some seconds, in which a registry that was killed in the middle is there again. */
const RETRIES_MS = [200, 400, 800, 1600, 3200];

/** Requests to one registry: answers checked against a schema, lost ones asked for again, refusals as CliError. */
export function createRegistryTransport({ registryUrl, token, signal, retriesMs = RETRIES_MS }: Connection) {
  async function call<Schema extends v.GenericSchema>(
    path: string,
    schema: Schema,
    sent: Call = {},
  ): Promise<v.InferOutput<Schema>> {
    const { status, text } = await exchange(path, sent, async (response) => {
      const text = await response.text();
      if (sent.key !== undefined && isLost(response.status, text)) throw new AnswerLost(response.status);
      return { status: response.status, text };
    });
    if (status >= 300) throw refusal(status, text);
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text === '' ? '{}' : text);
    if (answer.success) return answer.output;
    const [issue] = answer.issues;
    throw new CliError(
      'registry_answer_invalid',
      `${registryUrl} answers /v1/${path} with something else than a registry does (${v.getDotPath(issue) ?? 'the answer'}: ${issue.message}): check SITE_REGISTRY, and that both are of the same version.`,
    );
  }

  /** An answer that is too large to be held in memory. */
  async function stream(path: string): Promise<ReadableStream<Uint8Array>> {
    const answer = await exchange(path, {}, async (response) =>
      response.ok && response.body ? response.body : { status: response.status, text: await response.text() },
    );
    if ('text' in answer) throw refusal(answer.status, answer.text);
    return answer as ReadableStream<Uint8Array>;
  }

  async function exchange<T>(
    path: string,
    sent: Call,
    read: (response: globalThis.Response) => Promise<T>,
  ): Promise<T> {
    // Whether some attempt may have reached a registry that then acted.
    let mayHaveActed = false;
    for (const delay of sent.stream ? [null] : [...retriesMs, null]) {
      try {
        return await send(path, sent, read);
      } catch (error) {
        mayHaveActed ||= !wasNotReached(error);
        if (signal?.aborted) throw interrupted(sent.key);
        if (!mayHaveActed || delay === null) throw lost(error, sent.key, mayHaveActed);
        await sleep(delay, undefined, { signal }).catch(() => {
          throw interrupted(sent.key);
        });
      }
    }
    throw new Error('unreachable: the last attempt returns or throws');
  }

  /** A registry that has refused does not read the rest: nothing must go on sending it. */
  async function send<T>(
    path: string,
    sent: Call,
    read: (response: globalThis.Response) => Promise<T>,
  ): Promise<T> {
    const ended = new AbortController();
    const init = requestOf(sent, AbortSignal.any([ended.signal, ...(signal ? [signal] : [])]));
    const answer = await read(await fetch(`${registryUrl}/v1/${path}`, init));
    if (sent.stream) ended.abort();
    return answer;
  }

  function requestOf(
    { method = 'GET', body, bytes, stream: tar, key, ifLive }: Call,
    end: AbortSignal,
  ): RequestInit {
    const type = body ? 'application/json' : tar ? 'application/x-tar' : 'application/octet-stream';
    return {
      method,
      // No registry redirects: what does is something else, and must not be asked with the token.
      redirect: 'manual',
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body || bytes || tar ? { 'content-type': type } : {}),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(ifLive === undefined ? {} : { 'if-live': ifLive }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(bytes ? { body: new Uint8Array(bytes) } : {}),
      ...(tar ? { body: tar, duplex: 'half' } : {}),
      signal: end,
      // The global type, which is that of browsers, has neither streams of Node nor "duplex".
    } as RequestInit;
  }

  function lost(cause: unknown, key: string | undefined, mayHaveActed: boolean): CliError {
    if (key !== undefined && mayHaveActed) {
      return new CliError(
        'answer_lost',
        `The registry at ${registryUrl} was asked, but its answer did not arrive${cause instanceof AnswerLost ? ` (${cause.message})` : ''}: whether the change was made is not known. ${again(key)}`,
        { cause },
      );
    }
    return new CliError(
      'registry_unreachable',
      `The registry at ${registryUrl} does not answer. Start the site with "npm start"; if it was started with another DATA_DIR, set the same here, and if it runs elsewhere, set SITE_REGISTRY.`,
      { cause },
    );
  }

  function refusal(status: number, text: string): CliError {
    const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), ErrorsSchema), text);
    if (!answer.success) {
      return new CliError(
        'registry_answer_invalid',
        `${registryUrl} answers with status ${status} and no reason: check SITE_REGISTRY, it may not be a registry.`,
      );
    }
    const [first] = answer.output.errors;
    return new RegistryRefusal(
      first?.code ?? 'unknown',
      answer.output.errors.map(({ detail }) => detail).join('\n'),
    );
  }

  return { call, stream };
}

/** Something between here and the registry, or its end in the middle of the work, took the place of its answer. */
class AnswerLost extends Error {
  constructor(status: number) {
    super(`Status ${status} came in place of an answer.`);
  }
}

/** A change may have been made all the same. A registry that is at work refuses with 503 and a reason. */
function isLost(status: number, text: string): boolean {
  if (status === 503) return !v.is(v.pipe(v.string(), v.parseJson(), ErrorsSchema), text);
  return status === 500 || status === 502 || status === 504;
}

function interrupted(key: string | undefined): CliError {
  return new CliError(
    'interrupted',
    key === undefined
      ? 'Stopped; nothing that visitors see was changed.'
      : `Stopped while the registry was at work: whether the change was made is not known. ${again(key)}`,
  );
}

/** @param key of the change whose answer is missing. */
function again(key: string): string {
  return `Run the same command again with --key ${key}: it is done once, and you get its answer.`;
}

const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The request did not get there: nothing was done, and asking again at once is of no use. */
function wasNotReached(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string; errors?: { code?: string }[] } };
  if (error instanceof AnswerLost) return false;
  const codes = [cause?.code, ...(cause?.errors ?? []).map(({ code }) => code)].filter(
    (code) => code !== undefined,
  );
  // Without a code it is fetch itself that refused, a port that it blocks, for example.
  return codes.length === 0 || codes.some((code) => NOT_REACHED.has(code));
}
