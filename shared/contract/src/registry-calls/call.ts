import * as v from 'valibot';
import type { Needed, Scope } from './scopes.ts';

/** A body or an answer that is not JSON, by its media type. */
export type RawType = 'application/octet-stream' | 'application/x-tar' | 'text/event-stream';

/** What is sent or answered: JSON that a schema describes, something else, or nothing. */
export type Content = v.GenericSchema | RawType | null;

type Named = v.ObjectEntries;
type Read<Fields extends Named> = v.InferOutput<v.ObjectSchema<Fields, undefined>>;

/** One request as the registry's handler gets it: checked, and read by the schemas of its call. */
export interface Checked<Params extends Named, Query extends Named, Headers extends Named, Body> {
  params: Read<Params>;
  query: Read<Query>;
  headers: Read<Headers>;
  body: Body extends v.GenericSchema ? v.InferOutput<Body> : unknown;
}

/**
 * Who may call: any token, one with a fixed scope, or one with scopes that depend on the request. A fixed scope is checked
 * before the body is read. `says` tells people of a scope that depends; `of` may be empty where the registry has to look
 * into its database first.
 */
export type ScopeRule<Request> = 'any token' | Needed | { says: string; of(request: Request): NeededScopes };

/** All of these are needed; of a list inside any one will do. */
export type NeededScopes = readonly (Scope | readonly Scope[])[];

interface Definition<
  Params extends Named,
  Query extends Named,
  Headers extends Named,
  Body extends Content,
  Answer extends Content,
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the registry's address. `:name` stands for a parameter, `*` at the end for the rest, slashes included. */
  path: `/v1/${string}`;
  /** For the API document: a few words, and what else one must know. */
  summary: string;
  description?: string;
  params?: Params;
  /** Every parameter that it takes: others are refused. */
  query?: Query;
  /** Headers of its own, in lower case. */
  headers?: Headers;
  /** The largest body in bytes, where that is more than usual. */
  maxBody?: number;
  body?: Body;
  answer?: Answer;
  /** Instead of 200, or 204 without an answer, when something new was made. */
  created?: true;
  scope: ScopeRule<NoInfer<Checked<Params, Query, Headers, Body>>>;
  /**
   * Whether it is a change that must not happen twice: it takes an `Idempotency-Key`, and a retry with the same key gets
   * the first answer.
   */
  once?: boolean;
  /** Whether it relies on files that it finds in the store, which no collection may take away meanwhile. */
  needsBlobs?: true;
  /** Codes of the registry's errors that it can have, beside those that every call can have. */
  errors?: readonly string[];
}

/** One call of the registry: everything that its two sides, its document and its guards must agree on. */
export interface Call<
  Params extends Named = Named,
  Query extends Named = Named,
  Headers extends Named = Named,
  Body extends Content = Content,
  Answer extends Content = Content,
  Once extends boolean = boolean,
> extends Required<
  Pick<
    Definition<Params, Query, Headers, Body, Answer>,
    | 'method'
    | 'path'
    | 'summary'
    | 'description'
    | 'params'
    | 'query'
    | 'headers'
    | 'body'
    | 'answer'
    | 'errors'
  >
> {
  maxBody: number | undefined;
  created: boolean;
  scope: 'any token' | Needed | { says: string; of(request: never): NeededScopes };
  once: Once;
  needsBlobs: boolean;
}

/** Calls by their names. */
export type Calls = Readonly<Record<string, Call>>;

/** Defines one call; what is left out is not there. */
export function call<
  // oxlint-disable-next-line typescript/no-empty-object-type -- no parameters are an object without entries
  Params extends Named = {},
  // oxlint-disable-next-line typescript/no-empty-object-type
  Query extends Named = {},
  // oxlint-disable-next-line typescript/no-empty-object-type
  Headers extends Named = {},
  Body extends Content = null,
  Answer extends Content = null,
  const Once extends boolean = false,
>(
  definition: Definition<Params, Query, Headers, Body, Answer> & { once?: Once },
): Call<Params, Query, Headers, Body, Answer, Once> {
  return {
    description: '',
    params: {} as Params,
    query: {} as Query,
    headers: {} as Headers,
    maxBody: undefined,
    body: null as Body,
    answer: null as Answer,
    created: false,
    once: false as Once,
    needsBlobs: false,
    errors: [],
    ...definition,
  };
}

/** A request as the registry's handler gets it. */
export type RequestOf<C extends Call> = Checked<C['params'], C['query'], C['headers'], C['body']>;

/** What the registry's handler answers. */
export type GivenAnswer<C extends Call> = C['answer'] extends v.GenericSchema
  ? v.InferInput<C['answer']>
  : unknown;

/** What a client gets. */
export type AnswerOf<C extends Call> = C['answer'] extends v.GenericSchema
  ? v.InferOutput<C['answer']>
  : C['answer'] extends null
    ? undefined
    : AsyncIterable<Uint8Array>;

/** The key of a change: see `IDEMPOTENCY_HEADER`. */
export const IdempotencyKeySchema = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]{1,100}$/, 'An idempotency key has 1 to 100 printable characters without spaces.'),
);
