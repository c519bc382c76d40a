import type { FastifyInstance, FastifyReply } from 'fastify';
import { SESSION_PATH, SignInSchema } from '@site/contract/registry-calls/session.calls';
import { ApiError } from '@site/server/api-error';
import { clientNetwork } from '@site/server/client-address';
import { addCallerLimit } from '@site/server/rate-limit';
import { parseBody } from '@site/server/validate';
import {
  authenticateSession,
  describeSession,
  signIn,
  signOut,
  noSessionCookie,
  requireOwnPage,
  sessionCookie,
  readSessionId,
} from '../access/index.ts';
import type { RegistryContext } from '../kernel/context.ts';

/** Tokens and codes cannot be guessed; this protects the database from load. */
const SIGN_INS_PER_MINUTE = 60;
const LARGEST_SIGN_IN_BYTES = 4 * 1024;

type Context = Pick<RegistryContext, 'db' | 'now'>;

export async function consoleRoutes(app: FastifyInstance, context: Context): Promise<void> {
  const limitSignIns = await addCallerLimit(app, {
    who: 'this address to sign in',
    max: SIGN_INS_PER_MINUTE,
  });

  app.get(SESSION_PATH, async (request) => {
    const id = readSessionId(request);
    if (id === null) return { who: null };
    requireOwnPage(request);
    try {
      return { who: await describeSession(context, await authenticateSession(context, id)) };
    } catch (error) {
      if (error instanceof ApiError && error.code === 'session_over') return { who: null };
      throw error;
    }
  });

  app.post(SESSION_PATH, { bodyLimit: LARGEST_SIGN_IN_BYTES }, async (request, reply) => {
    requireOwnPage(request);
    await limitSignIns(request, clientNetwork(request.ip));
    const former = readSessionId(request);
    const { id, expiresAt, actor } = await signIn(context, parseBody(SignInSchema, request.body));
    if (former !== null) await signOut(context, former);
    request.log.info({ by: actor.name }, 'signed in to the console');
    const seconds = Math.max(1, Math.floor((expiresAt.getTime() - context.now().getTime()) / 1000));
    setCookie(reply, sessionCookie(id, seconds));
    return describeSession(context, actor);
  });

  app.delete(SESSION_PATH, async (request, reply) => {
    requireOwnPage(request);
    const id = readSessionId(request);
    if (id !== null) await signOut(context, id);
    setCookie(reply, noSessionCookie());
    return reply.status(204).send();
  });
}

function setCookie(reply: FastifyReply, cookie: string): void {
  void reply.header('set-cookie', cookie).header('cache-control', 'no-store');
}
