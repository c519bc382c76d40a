import {
  LINK_FRAGMENT,
  SESSION_PATH,
  SessionSchema,
  WhoSchema,
  type Session,
  type SignIn,
} from '@site/contract/registry-calls/session.calls';
import { tolerant } from '@site/contract/schema-tools';
import * as v from 'valibot';
import { CallError } from './call-error.ts';
import { refusal, send } from './client.ts';

export async function whoIsSignedIn(): Promise<Session | null> {
  return (await read(await send(SESSION_PATH, { method: 'GET' }), WhoSchema)).who;
}

export async function signIn(secret: SignIn): Promise<Session> {
  const body = JSON.stringify(secret);
  const headers = { 'content-type': 'application/json' };
  return read(await send(SESSION_PATH, { method: 'POST', headers, body }), SessionSchema);
}

async function read<Schema extends typeof SessionSchema | typeof WhoSchema>(
  response: Response,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  if (!response.ok) throw await refusal(response, 'refused');
  const sent = v.safeParse(tolerant(schema), await response.json().catch(() => null));
  if (sent.success) return sent.output;
  throw new CallError(
    'no-answer',
    'no_answer',
    'The registry does not respond: its response is not a session.',
  );
}

export async function signOut(): Promise<void> {
  const response = await send(SESSION_PATH, { method: 'DELETE' });
  if (!response.ok) throw await refusal(response, 'refused');
}

/** Removes the sign-in code from the URL immediately, so that the URL does not leak it. */
export function takeCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get(LINK_FRAGMENT);
  if (code !== null) history.replaceState(null, '', location.pathname + location.search);
  return code;
}
