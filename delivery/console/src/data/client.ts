import { answerStatus, outcomeUnknown } from '@site/contract/answer-status';
import type { AnswerOf, Call } from '@site/contract/registry-calls/call';
import { readerOf, requestTo, type SentTo } from '@site/contract/registry-calls/client';
import { registryCalls, type RegistryCalls } from '@site/contract/registry-calls/registry-calls';
import { CONSOLE_HEADER } from '@site/contract/registry-calls/session.calls';
import { explain, RefusalSchema } from '@site/contract/refusal.schema';
import { retryAfterMs } from '@site/contract/retry-after';
import { jsonText } from '@site/contract/text.schema';
import * as v from 'valibot';
import { CallError } from './call-error.ts';

export type CallName = keyof RegistryCalls;
export type Sent<Name extends CallName> = SentTo<RegistryCalls[Name]>;
export type AnswerTo<Name extends CallName> = AnswerOf<RegistryCalls[Name]>;

/**
 * Makes one call of the registry's table, as the session's token.
 *
 * @param key the idempotency key of a change: with the same one it is done once, however often it is asked for.
 * @throws CallError
 */
export type Ask = <Name extends CallName>(
  name: Name,
  sent: Sent<Name>,
  key?: string,
) => Promise<AnswerTo<Name>>;

/** How long to wait for an answer before asking again. Milliseconds. */
const PATIENCE_MS = 30_000;

/** So long after an order that is not answered a person wants to know what became of it. */
const RECENT_MS = 60_000;

/** The client over the whole table. `onSignedOut` is called when the registry no longer knows the session. */
export function createAsk(onSignedOut: (reason: string) => void): Ask {
  /** Orders of which nobody knows what became: by key, since when. */
  const open = new Map<string, number>();

  /** What somebody whose session is over must know of what they ordered last. */
  function ofOrders(isRefused: boolean): string {
    if ([...open.values()].some((at) => Date.now() - at < RECENT_MS)) {
      return ' It is not known whether your last change was made: check the timeline.';
    }
    return isRefused ? ' Your change was not made.' : '';
  }

  return async function ask(name, sent, key) {
    const isRepeated = key !== undefined && open.has(key);
    if (key !== undefined) open.set(key, Date.now());
    try {
      const answer = await once(name, sent, key);
      if (key !== undefined) open.delete(key);
      return answer;
    } catch (error) {
      const { failure, message } = error as CallError;
      // A refusal says nothing of an attempt before that was lost.
      const isRefused = key !== undefined && !isRepeated && failure !== 'no-answer';
      if (isRefused) open.delete(key);
      if (failure === 'signed-out') onSignedOut(message + ofOrders(isRefused));
      throw error;
    }
  };
}

/** One attempt. */
async function once<Name extends CallName>(
  name: Name,
  sent: Sent<Name>,
  key: string | undefined,
): Promise<AnswerTo<Name>> {
  const call: Call = registryCalls[name];
  const { method, path, headers, body } = requestTo(call, sent as never, key);
  const response = await send(`/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: body as string }),
  });
  if (response.status === 401) throw await refusal(response, 'signed-out');
  // Something between here and the registry, or its end in the middle of the work, took the place of its answer.
  if (outcomeUnknown.includes(response.status)) throw noAnswer(`status ${response.status}`);
  if (!response.ok) throw await refusal(response, 'refused');
  if (call.answer === null) return undefined as never;
  const text = await response.text().catch((error: unknown) => {
    throw noAnswer('the connection broke off', error);
  });
  const read = v.safeParse(jsonText(readerOf(call)), text);
  if (read.success) return read.output as never;
  throw noAnswer(`its answer is not one of a registry (${v.getDotPath(read.issues[0]) ?? 'the answer'})`);
}

/** A request of the console's own. @throws CallError `no-answer` */
export async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, {
      ...init,
      headers: { [CONSOLE_HEADER]: '1', ...(init.headers as Record<string, string> | undefined) },
      credentials: 'same-origin',
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (error) {
    throw noAnswer(navigator.onLine ? 'it cannot be reached' : 'this device is offline', error);
  }
}

/** What a refusal says, in the registry's own words. */
export async function refusal(response: Response, failure: 'refused' | 'signed-out'): Promise<CallError> {
  const read = v.safeParse(RefusalSchema, await response.json().catch(() => null));
  if (!read.success) {
    // A registry that is at work refuses with a reason; whoever stands in for it does not.
    return noAnswer(`status ${response.status}`);
  }
  const [first] = read.output.errors;
  const said = read.output.errors.map(explain).join(' ');
  // Its database or its own end came in between: that says nothing of what became of a change.
  if (first?.code === 'unavailable') return new CallError('no-answer', first.code, said);
  return new CallError(failure, first?.code ?? 'unknown', said, { againAfterMs: againAfterMs(response) });
}

/** What is too much at once is refused without a look at it, and says when to come again. */
function againAfterMs({ status, headers }: Response): number | undefined {
  const isLimit = status === answerStatus.limitReached;
  if (!isLimit && status !== answerStatus.notReady) return undefined;
  return retryAfterMs(headers.get('retry-after'), Date.now()) ?? (isLimit ? 0 : undefined);
}

function noAnswer(why: string, cause?: unknown): CallError {
  return new CallError('no-answer', 'no_answer', `The registry does not answer: ${why}.`, { cause });
}
