import { answerStatus, outcomeUnknown, retryAfterMs } from '@site/contract/http';
import type { AnswerOf, Call } from '@site/contract/registry-calls/call';
import { answerSchema, requestTo, type SentTo } from '@site/contract/registry-calls/client';
import { registryCalls, type RegistryCalls } from '@site/contract/registry-calls/registry-calls';
import { CONSOLE_HEADER } from '@site/contract/registry-calls/session.calls';
import { explain, RefusalSchema } from '@site/contract/refusal.schema';
import { jsonText } from '@site/contract/text.schema';
import * as v from 'valibot';
import { CallError } from './call-error.ts';

export type CallName = keyof RegistryCalls;
export type Sent<Name extends CallName> = SentTo<RegistryCalls[Name]>;
export type AnswerTo<Name extends CallName> = AnswerOf<RegistryCalls[Name]>;

/** @param key the idempotency key of a change. @throws CallError */
export type Ask = <Name extends CallName>(
  name: Name,
  sent: Sent<Name>,
  key?: string,
) => Promise<AnswerTo<Name>>;

const PATIENCE_MS = 30_000;

/** For this long after a change without a response, its outcome matters to the user. */
const RECENT_MS = 60_000;

export function createAsk(onSignedOut: (reason: string) => void): Ask {
  /** Changes with an unknown outcome: key to start time. */
  const open = new Map<string, number>();

  function ofOrders(isRefused: boolean): string {
    if ([...open.values()].some((at) => Date.now() - at < RECENT_MS)) {
      return ' It is unknown whether your last change was made: check the timeline.';
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
      // A rejection says nothing about an earlier lost attempt.
      const isRefused = key !== undefined && !isRepeated && failure !== 'no-answer';
      if (isRefused) open.delete(key);
      if (failure === 'signed-out') onSignedOut(message + ofOrders(isRefused));
      throw error;
    }
  };
}

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
  // A proxy, or the registry's shutdown, replaced the response.
  if (outcomeUnknown.includes(response.status)) throw noAnswer(statusOf(response));
  if (!response.ok) throw await refusal(response, 'refused');
  if (call.answer === null) return undefined as never;
  const text = await response.text().catch((error: unknown) => {
    throw noAnswer('the connection was closed', error);
  });
  const read = v.safeParse(jsonText(answerSchema(call)), text);
  if (read.success) return read.output as never;
  throw noAnswer(`its response is invalid (${v.getDotPath(read.issues[0]) ?? 'the response'})`);
}

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
    throw noAnswer(navigator.onLine ? 'it is unreachable' : 'this device is offline', error);
  }
}

export async function refusal(response: Response, failure: 'refused' | 'signed-out'): Promise<CallError> {
  const read = v.safeParse(RefusalSchema, await response.json().catch(() => null));
  if (!read.success) {
    // A registry rejects with a reason; a proxy in front of it does not.
    return noAnswer(statusOf(response));
  }
  const [first] = read.output.errors;
  const said = read.output.errors.map(explain).join(' ');
  // The database or the registry stopped: the change may have been made.
  if (first?.code === 'unavailable')
    return new CallError('no-answer', first.code, `${said} (${statusOf(response)})`);
  return new CallError(failure, first?.code ?? 'unknown', said, { againAfterMs: againAfterMs(response) });
}

/** With the id of the request in the registry's log. */
function statusOf({ status, headers }: Response): string {
  const id = headers.get('x-request-id');
  return id === null ? `status ${status}` : `status ${status}, request ID ${id}`;
}

/** Rate limiting rejects unread requests and says when to retry. */
function againAfterMs({ status, headers }: Response): number | undefined {
  const isLimit = status === answerStatus.limitReached;
  if (!isLimit && status !== answerStatus.notReady) return undefined;
  return retryAfterMs(headers.get('retry-after'), Date.now()) ?? (isLimit ? 0 : undefined);
}

function noAnswer(why: string, cause?: unknown): CallError {
  return new CallError('no-answer', 'no_answer', `The registry does not respond: ${why}.`, { cause });
}
