import * as v from 'valibot';
import type { Needed, Scope } from './scopes.ts';

export type RawType = 'application/octet-stream' | 'application/x-tar' | 'text/event-stream';

export type Content = v.GenericSchema | RawType | null;

type Named = v.ObjectEntries;
type Read<Fields extends Named> = v.InferOutput<v.ObjectSchema<Fields, undefined>>;

export interface Checked<Params extends Named, Query extends Named, Headers extends Named, Body> {
  params: Read<Params>;
  query: Read<Query>;
  headers: Read<Headers>;
  body: Body extends v.GenericSchema ? v.InferOutput<Body> : unknown;
}

/**
 * The required scope: any token, a fixed scope, or scopes that depend on the request. A fixed scope is
 * checked before the body is read. `says` documents dependent scopes; `of` may return none if the registry
 * has to query its database first.
 */
export type ScopeRule<Request> = 'any token' | Needed | { says: string; of(request: Request): NeededScopes };

export type NeededScopes = readonly (Scope | readonly Scope[])[];

interface Definition<
  Params extends Named,
  Query extends Named,
  Headers extends Named,
  Body extends Content,
  Answer extends Content,
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the registry's URL. `:name` is a parameter, a trailing `*` the rest including slashes. */
  path: `/v1/${string}`;
  /** For the API document: a summary and a description. */
  summary: string;
  description?: string;
  params?: Params;
  query?: Query;
  /** Headers of this call, in lower case. */
  headers?: Headers;
  maxBody?: number;
  body?: Body;
  answer?: Answer;
  created?: true;
  scope: ScopeRule<NoInfer<Checked<Params, Query, Headers, Body>>>;
  once?: boolean;
  /** Whether it relies on stored files, which garbage collection must not delete in the meantime. */
  needsBlobs?: true;
  /** Error codes, in addition to those of every call. */
  errors?: readonly string[];
}

/** A call of the registry: everything that client, server, API document and authorization share. */
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

export type Calls = Readonly<Record<string, Call>>;

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

export type RequestOf<C extends Call> = Checked<C['params'], C['query'], C['headers'], C['body']>;

/** The handler's result. */
export type GivenAnswer<C extends Call> = C['answer'] extends v.GenericSchema
  ? v.InferInput<C['answer']>
  : unknown;

/** The client's result. */
export type AnswerOf<C extends Call> = C['answer'] extends v.GenericSchema
  ? v.InferOutput<C['answer']>
  : C['answer'] extends null
    ? undefined
    : AsyncIterable<Uint8Array>;

export const IdempotencyKeySchema = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]{1,100}$/, 'An idempotency key has 1 to 100 printable characters without spaces.'),
);
