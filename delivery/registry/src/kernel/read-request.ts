import type { FastifyRequest } from 'fastify';
import { IDEMPOTENCY_HEADER } from '@site/contract/http';
import { IdempotencyKeySchema, type Call, type RequestOf } from '@site/contract/registry-calls/call';
import * as v from 'valibot';
import type { ApiError } from '@site/server/api-error';
import { baseErrors } from '@site/server/base-errors';
import { parseBody, sentence } from '@site/server/validate';
import { digest } from './canonical-json.ts';
import { registryErrors } from './registry-errors.ts';
import type { Command } from './command.ts';

export function readRequest<C extends Call>(call: C, request: FastifyRequest): RequestOf<C> {
  const { params, query, headers } = call;
  refuseUnknownQuery(call, request.query as object);
  return {
    params: readFields(params, request.params, 'parameter'),
    query: readFields(query, request.query, 'parameter'),
    headers: readFields(headers, request.headers, 'header'),
    body: readBody(call, request),
  } as RequestOf<C>;
}

function readFields(fields: v.ObjectEntries, given: unknown, source: 'parameter' | 'header'): unknown {
  const read = v.safeParse(v.object(fields), given, { abortEarly: true });
  if (read.success) return read.output;
  const [issue] = read.issues;
  const name = v.getDotPath(issue) ?? '';
  const value = (given as Record<string, unknown>)[name];
  const unknown = unknownNames[name];
  throw source === 'parameter' && unknown
    ? unknown(typeof value === 'string' ? value : '')
    : baseErrors.request_malformed(sentence(issue), {
        source: source === 'header' ? { header: name } : { parameter: name },
      });
}

/** Malformed names get the same response as unknown ones. */
const unknownNames: Partial<Record<string, (text: string) => ApiError>> = {
  channel: (text) => registryErrors.channel_unknown(`There is no channel "${text.slice(0, 50)}".`),
  app: (text) => registryErrors.app_unknown(`"${text.slice(0, 50)}" is not the name of an app.`),
  release: releaseUnknown,
  other: releaseUnknown,
};

export function releaseUnknown(text: string): ApiError {
  return registryErrors.release_unknown(`There is no release "${text.slice(0, 50)}".`);
}

/** An ignored parameter may be the one that requests a dry run. */
function refuseUnknownQuery({ query }: Call, given: object): void {
  const parameter = Object.keys(given).find((name) => !Object.hasOwn(query, name));
  if (parameter === undefined) return;
  const known = Object.keys(query).map((name) => `"${name}"`);
  throw baseErrors.request_malformed(
    `There is no parameter "${parameter.slice(0, 50)}" here; there is ${known.join(', ') || 'none'}.`,
    { source: { parameter: parameter.slice(0, 50) } },
  );
}

function readBody({ body: schema }: Call, { body, headers }: FastifyRequest): unknown {
  if (schema === null) return undefined;
  if (typeof schema !== 'string') return parseBody(schema, body ?? {});
  const type = headers['content-type']?.split(';', 1)[0]?.trim();
  if (type === schema) return body;
  throw baseErrors.media_type_unsupported(`The body is sent with "content-type: ${schema}".`);
}

/** Preconditions are not part of the request's digest, because a retry may have seen another state. */
const SEEN = new Set(['ifLive', 'ifCanary']);

function orderIn(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !Object.keys(body).some((field) => SEEN.has(field)))
    return body;
  return Object.fromEntries(Object.entries(body).filter(([field]) => !SEEN.has(field)));
}

/**
 * A dry run has no key: it has no effects to deduplicate.
 * @throws ApiError `request_malformed`.
 */
export function toCommand(
  call: Call,
  { method, url, headers, body }: FastifyRequest,
  read: { query: unknown; body: unknown },
): Pick<Command, 'key' | 'requestDigest' | 'dryRun'> {
  const dryRun =
    (read.body as { dryRun?: boolean } | null | undefined)?.dryRun === true ||
    (read.query as { 'dry-run'?: boolean })['dry-run'] === true;
  if (!call.once || dryRun) return { key: null, requestDigest: '', dryRun };
  const given = headers[IDEMPOTENCY_HEADER];
  const requestDigest = digest([method, url, orderIn(body)]);
  if (given === undefined) return { key: null, requestDigest, dryRun };
  const key = v.safeParse(IdempotencyKeySchema, given);
  if (key.success) return { key: key.output, requestDigest, dryRun };
  throw baseErrors.request_malformed(key.issues[0].message, { source: { header: IDEMPOTENCY_HEADER } });
}
