import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Call, Calls, GivenAnswer, RequestOf } from '@site/contract/registry-calls/call';
import { takesLong, type ArrivalLimit } from '@site/server/arrival';
import { HOUR_MS, MINUTE_MS } from '@site/server/durations';
import type { Actor } from '../access/actor.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { duringChange } from '../use-cases/blob-protection.ts';
import type { Answer, Command } from '../use-cases/command.ts';
import { onBehalfOf } from '../use-cases/on-behalf-of.ts';
import { requireScope, requireScopes } from '../access/require-scope.ts';
import { commandOf, readRequest } from './read-request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
  }
  interface FastifyContextConfig {
    /** The call that a route of the registry answers. */
    call?: Call;
  }
}

/** What a handler gets: the checked request, who sends it, and for whoever changes something the change as it was sent. */
export type Asked<C extends Call> = RequestOf<C> & {
  actor: Actor;
  /** Its context is one in which rendering is done in the sender's turn. */
  command: Command;
  request: FastifyRequest;
  reply: FastifyReply;
};

const LARGE_BODY: ArrivalLimit = { withinMs: HOUR_MS };
/** A backup takes as long as it is large, but its sender does not pause. */
const ANY_BODY: ArrivalLimit = { idleMs: MINUTE_MS };

type Reads<C extends Call> = (asked: Asked<C>) => Promise<GivenAnswer<C>>;
/** Changes something, once for each idempotency key; see `runChange`. */
type Changes<C extends Call> = (asked: Asked<C>) => Promise<Answer<GivenAnswer<C>>>;
type Act<C extends Call> = C['once'] extends true ? Changes<C> : Reads<C>;

interface Handler<C extends Call> {
  act: Act<C>;
  /** The body may take as long as it takes to arrive. Default: an hour at most for large bodies. */
  hasNoLimit?: boolean;
  /** Before the body is read, of one who may send it. */
  beforeBody?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Sees what is sent. */
  onSend?: RouteShorthandOptions['onSend'];
}

/** For each call what answers it. */
export type Handlers<Group extends Calls> = {
  [Name in keyof Group]: Act<Group[Name]> | Handler<Group[Name]>;
};

/**
 * Adds a route for each call. Whatever a call says of itself is seen to here: who may, what is sent, under which key a change
 * happens once, and that no collection takes away what it relies on. The handlers only do what was asked for.
 */
export function mountCalls<Group extends Calls>(
  api: FastifyInstance,
  context: RegistryContext,
  calls: Group,
  handlers: Handlers<Group>,
): void {
  for (const [name, call] of Object.entries(calls)) {
    const given = handlers[name as keyof Group] as Act<Call> | Handler<Call> | undefined;
    // The types say so too, at great length, and tests run without them.
    if (!given) throw new Error(`The call "${name}" has no handler: write one in the routes of its group.`);
    mount(api, context, call, typeof given === 'function' ? { act: given } : given);
  }
}

function mount(api: FastifyInstance, context: RegistryContext, call: Call, handler: Handler<Call>): void {
  const { method, scope } = call;
  const url = call.path;
  api.route({
    method,
    url,
    config: { call },
    ...(call.maxBody === undefined ? {} : { bodyLimit: call.maxBody }),
    async preParsing(request, reply, payload) {
      // Before the body is read: who may not, sends nothing.
      if (typeof scope === 'string' && scope !== 'any token') requireScope(actorOf(request), scope);
      // Before it waits for its turn: nobody reads the body meanwhile.
      if (typeof call.body === 'string' || call.maxBody !== undefined)
        takesLong(request, handler.hasNoLimit ? ANY_BODY : LARGE_BODY);
      await handler.beforeBody?.(request, reply);
      return payload;
    },
    ...(handler.onSend ? { onSend: handler.onSend } : {}),
    handler: async (request, reply) => {
      const actor = actorOf(request);
      const read = readRequest(call, request);
      if (typeof scope === 'object') requireScopes(actor, scope.of(read as never));
      const command = { context: onBehalfOf(context, actor), actor, ...commandOf(call, request, read) };
      const asked = { ...read, actor, command, request, reply };
      const work = () => (call.once ? change(call, handler, asked) : look(call, handler, asked));
      if (!call.needsBlobs) return work();
      return duringChange(context, `${method} ${url}`, work, (error) =>
        request.log.warn({ err: error }, 'the end of a change could not be noted'),
      );
    },
  });
}

async function look(call: Call, { act }: Handler<Call>, asked: Asked<Call>): Promise<unknown> {
  const body = await act(asked);
  if (call.answer === null) return asked.reply.status(204).send();
  // A stream of events has been begun by its handler.
  return call.answer === 'text/event-stream' ? asked.reply : body;
}

async function change(call: Call, { act }: Handler<Call>, asked: Asked<Call>): Promise<FastifyReply> {
  const { status, body, replayed } = await (act as Changes<Call>)(asked);
  return asked.reply.status(status).header('idempotency-replayed', String(replayed)).send(body);
}

/** The sender of a request below `/v1/`, which the authentication hook has found. */
export function actorOf(request: FastifyRequest): Actor {
  if (!request.actor) throw new Error(`${request.url} is not below the authentication hook.`);
  return request.actor;
}
