import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import * as v from 'valibot';
import { baseErrors } from './base-errors.ts';
import { sendJsonApi } from './json-api.ts';
import { jsonApiCall } from './json-api-call.ts';
import { answersWithJsonApi } from './openapi.ts';
import type { Access, Operation, Operations, QuerySchema } from './service-description.ts';
import { parseBody, sentence } from './validate.ts';

type Schemas = Readonly<Record<string, v.GenericSchema>>;

export function mountTable<Call extends { method: string; path: string }, Handler>(
  app: FastifyInstance,
  table: Readonly<Record<string, Call>>,
  handlers: Readonly<Record<string, Handler>>,
  route: (call: Call, handler: Handler) => Omit<RouteOptions, 'method' | 'url'>,
): void {
  for (const [name, call] of Object.entries(table)) {
    const handler = handlers[name];
    if (!handler) throw new Error(`The call "${name}" has no handler: write one in the routes of its group.`);
    const url = call.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.route({ method: call.method, url, ...route(call, handler) });
  }
}

/** A request after its checks, in this order: caller, query, body. */
interface CheckedRequest<O extends Operation, Named extends Schemas, Callers> {
  caller: O['access'] extends keyof Callers ? Callers[O['access']] : undefined;
  query: O extends { query: infer Query extends QuerySchema } ? v.InferOutput<Query> : undefined;
  body: O extends { body: infer Name extends keyof Named } ? v.InferOutput<Named[Name]> : undefined;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Mounts a table of operations with their access, query and body. A handler returns a JSON:API document unless its
 * operation describes another response.
 * @param gates for each access that is not public: authorizes the caller or throws.
 */
export function mountOperations<
  Group extends Operations,
  Named extends Schemas,
  Callers extends Record<Exclude<Access & Group[keyof Group]['access'], 'open'>, unknown>,
>(
  app: FastifyInstance,
  { operations, schemas }: { operations: Group; schemas: Named },
  gates: { [Name in keyof Callers]: (request: FastifyRequest) => Callers[Name] | Promise<Callers[Name]> },
  handlers: { [Name in keyof Group]: (checked: CheckedRequest<Group[Name], Named, Callers>) => unknown },
): void {
  type Handler = (checked: { [Part in keyof CheckedRequest<never, never, never>]: unknown }) => unknown;
  mountTable(
    app,
    operations,
    handlers as Record<string, unknown> as Record<string, Handler>,
    (operation, handle) => {
      const { access, include, query, body } = operation;
      const isJsonApi = answersWithJsonApi(operation);
      return {
        ...(isJsonApi ? jsonApiCall({ include, query: Object.keys(query?.entries ?? {}) }) : {}),
        handler: async (request, reply) => {
          const answer = await handle({
            caller: access === 'open' ? undefined : await gates[access as keyof Callers](request),
            query: query && readQuery(query, request),
            body: body === undefined ? undefined : parseBody(schemas[body] as v.GenericSchema, request.body),
            request,
            reply,
          });
          return isJsonApi ? sendJsonApi(reply, answer as object) : answer;
        },
      };
    },
  );
}

function readQuery(schema: QuerySchema, request: FastifyRequest): unknown {
  const query = v.safeParse(schema, request.query);
  if (query.success) return query.output;
  const [issue] = query.issues;
  const parameter = v.getDotPath(issue) ?? '';
  throw baseErrors.request_malformed(`"${parameter}" is invalid. ${sentence(issue)}`, {
    source: { parameter },
  });
}
