import * as v from 'valibot';
import { tolerant } from '../schema-tools.ts';
import { IDEMPOTENCY_HEADER } from '../http.ts';
import type { AnswerOf, Call } from './call.ts';

export type RawBody = Uint8Array | AsyncIterable<Uint8Array>;

type Given<Fields extends v.ObjectEntries> = v.InferInput<v.ObjectSchema<Fields, undefined>>;
type Part<Name extends string, Value> =
  Partial<Value> extends Value ? { [name in Name]?: Value } : { [name in Name]: Value };

export type SentTo<C extends Call> = Part<'params', Record<keyof C['params'], string>> &
  Part<'query', Given<C['query']>> &
  Part<'headers', Given<C['headers']>> &
  (C['body'] extends v.GenericSchema
    ? { body: v.InferInput<C['body']> }
    : C['body'] extends null
      ? { body?: never }
      : { body: RawBody });

export interface HttpRequest {
  method: Call['method'];
  path: string;
  headers: Record<string, string>;
  body?: string | RawBody;
}

export type Arguments<C extends Call> =
  Partial<SentTo<C>> extends SentTo<C> ? [sent?: SentTo<C>] : [sent: SentTo<C>];

type Fields = Record<string, string | number | boolean | undefined>;

interface Loose {
  params?: Record<string, string>;
  query?: Fields;
  headers?: Fields;
  body?: unknown;
}

/** @param key the idempotency key of a change. */
export function requestTo<C extends Call>(call: C, sent: SentTo<C>, key?: string): HttpRequest {
  const { params = {}, query = {}, headers = {}, body } = sent as Loose;
  const path = call.path
    .slice(1)
    .replace('*', () => (params['*'] ?? '').split('/').map(encodeURIComponent).join('/'))
    .replaceAll(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(given(query)).toString();
  const json = call.body === null || typeof call.body === 'string' ? undefined : JSON.stringify(body);
  return {
    method: call.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: {
      ...given(headers),
      ...(call.body === null
        ? {}
        : { 'content-type': json === undefined ? (call.body as string) : 'application/json' }),
      ...(call.once && key !== undefined ? { [IDEMPOTENCY_HEADER]: key } : {}),
    },
    ...(call.body === null ? {} : { body: json ?? (body as RawBody) }),
  };
}

function given(fields: Fields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

const readers = new WeakMap<Call, v.GenericSchema>();

export function answerSchema<C extends Call>(call: C): v.GenericSchema<unknown, AnswerOf<C>> {
  const known = readers.get(call);
  const { answer } = call;
  const reader = known ?? (answer === null || typeof answer === 'string' ? v.undefined() : tolerant(answer));
  readers.set(call, reader);
  return reader as v.GenericSchema<unknown, AnswerOf<C>>;
}

/** Parses a response: see `answerSchema`. @throws ValiError if it is invalid. */
export function readAnswer<C extends Call>(call: C, answer: unknown): AnswerOf<C> {
  return v.parse(answerSchema(call), answer);
}
