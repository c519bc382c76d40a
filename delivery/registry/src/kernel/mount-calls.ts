import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Call, Calls, GivenAnswer, RequestOf } from '@site/contract/registry-calls/call';
import { type ArrivalLimit, allowLongBody } from '@site/server/arrival';
import { HOUR_MS, MINUTE_MS } from '@site/server/durations';
import { mountTable } from '@site/server/mount-calls';
import type { Actor } from './actor.ts';
import type { RegistryContext } from './context.ts';
import { duringChange } from './blob-protection.ts';
import type { Answer, Command } from './command.ts';
import { delegatedContext } from './delegated-context.ts';
import { requireScope, requireScopes } from './scopes.ts';
import { toCommand, readRequest } from './read-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
  }
  interface FastifyContextConfig {
    call?: Call;
  }
}

export type Asked<C extends Call> = RequestOf<C> & {
  actor: Actor;
  command: Command;
  request: FastifyRequest;
  reply: FastifyReply;
};

const LARGE_BODY: ArrivalLimit = { withinMs: HOUR_MS };
/** A backup takes as long as it is large, but its sender does not pause. */
const ANY_BODY: ArrivalLimit = { idleMs: 5 * MINUTE_MS };

type Reads<C extends Call> = (asked: Asked<C>) => Promise<GivenAnswer<C>>;
/** Performs a change once per idempotency key; see `runChange`. */
type Changes<C extends Call> = (asked: Asked<C>) => Promise<Answer<GivenAnswer<C>>>;
type Act<C extends Call> = C['once'] extends true ? Changes<C> : Reads<C>;

interface Handler<C extends Call> {
  act: Act<C>;
  /** Disables the body timeout. Default: one hour for large bodies. */
  hasNoLimit?: boolean;
  /** Runs after authorization, before the body is read. */
  beforeBody?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  onSend?: RouteOptions['onSend'];
}

export type Handlers<Group extends Calls> = {
  [Name in keyof Group]: Act<Group[Name]> | Handler<Group[Name]>;
};

/** Enforces everything that a call declares: scope, body, idempotency, and protection from garbage collection. */
export function mountCalls<Group extends Calls>(
  api: FastifyInstance,
  context: RegistryContext,
  calls: Group,
  handlers: Handlers<Group>,
): void {
  mountTable(
    api,
    calls as Calls,
    handlers as unknown as Record<string, Act<Call> | Handler<Call>>,
    (call, given) => routeOptions(context, call, typeof given === 'function' ? { act: given } : given),
  );
}

function routeOptions(
  context: RegistryContext,
  call: Call,
  handler: Handler<Call>,
): Omit<RouteOptions, 'method' | 'url'> {
  const { method, path, scope } = call;
  return {
    config: { call },
    ...(call.maxBody === undefined ? {} : { bodyLimit: call.maxBody }),
    async preParsing(request, reply, payload) {
      // Authorize before reading the body.
      if (typeof scope === 'string' && scope !== 'any token') requireScope(requireActor(request), scope);
      // Set the timeout before queueing: the body is not read while it waits.
      if (typeof call.body === 'string' || call.maxBody !== undefined)
        allowLongBody(request, handler.hasNoLimit ? ANY_BODY : LARGE_BODY);
      await handler.beforeBody?.(request, reply);
      return payload;
    },
    ...(handler.onSend ? { onSend: handler.onSend } : {}),
    handler: async (request, reply) => {
      const actor = requireActor(request);
      const read = readRequest(call, request);
      if (typeof scope === 'object') requireScopes(actor, scope.of(read as never));
      const command = { context: delegatedContext(context, actor), actor, ...toCommand(call, request, read) };
      const asked = { ...read, actor, command, request, reply };
      const work = () => (call.once ? change(call, handler, asked) : look(call, handler, asked));
      if (!call.needsBlobs) return work();
      return duringChange(context, `${method} ${path}`, work, (error) =>
        request.log.warn({ err: error }, 'the end of a change could not be recorded'),
      );
    },
  };
}

async function look(call: Call, { act }: Handler<Call>, asked: Asked<Call>): Promise<unknown> {
  const body = await act(asked);
  if (call.answer === null) return asked.reply.status(204).send();
  // The handler has already started the event stream.
  return call.answer === 'text/event-stream' ? asked.reply : body;
}

async function change(call: Call, { act }: Handler<Call>, asked: Asked<Call>): Promise<FastifyReply> {
  const { status, body, replayed } = await (act as Changes<Call>)(asked);
  return asked.reply.status(status).header('idempotency-replayed', String(replayed)).send(body);
}

export function requireActor(request: FastifyRequest): Actor {
  if (!request.actor) throw new Error(`${request.url} is not below the authentication hook.`);
  return request.actor;
}
