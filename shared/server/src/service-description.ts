import type * as v from 'valibot';
import type { ErrorDefinition } from './api-error.ts';

/** A late guest is one whose token may have expired a while ago. */
export type Access =
  'open' | 'app' | 'app and optional guest' | 'app and guest' | 'app and late guest' | 'admin';

/** One call of a service, described for people and programs. `SchemaName`: names of schemas for bodies. */
export interface Operation<SchemaName extends string = string> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With parameters in braces: `/guests/{id}`. */
  path: string;
  summary: string;
  description: string;
  /** Whether it needs the `appid` header, and whose token. */
  access: Access | { token: string };
  /** Its name for programs. Default: made of method and path. */
  id?: string;
  /** Parameters in the query and in headers, and those of the path that are no UUIDs. */
  parameters?: Parameter[];
  /** The relationships that JSON:API's `include` can ask for. */
  include?: readonly string[];
  /** What it takes in its query. */
  query?: QuerySchema;
  /** Whether people meet it in a browser: it answers with pages, also when it fails. */
  page?: boolean;
  /** The name of a schema for the request body. */
  body?: SchemaName;
  /** The media type of a body that is not JSON. */
  bodyType?: string;
  /** `type`: the media type. Default: that of JSON:API. */
  answers: Record<
    number,
    { description: string; schema?: string; type?: string; headers?: Record<string, string> }
  >;
  /** Codes of the service's error tables, beside those that every call can have. */
  errors: string[];
}

/** Operations by the names that their handlers have. */
export type Operations<SchemaName extends string = string> = Readonly<Record<string, Operation<SchemaName>>>;

export type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>;

/** One value that a call takes beside its body. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: v.GenericSchema;
}

/** What a service tells about itself. */
export interface ServiceDescription {
  title: string;
  description: string;
  operations: Operation[];
  schemas: Record<string, v.GenericSchema>;
  /** Every code that the service can answer with. */
  errors: Record<string, ErrorDefinition>;
  /** Codes that every call with a body can have, and those that every call can have. */
  commonErrors: { anyCall: string[]; withBody: string[] };
}

/** A part of an OpenAPI document that this program only writes and shows. */
export type Json = { [key: string]: Json } | Json[] | string | number | boolean | null;

/** An OpenAPI 3.1 document, https://spec.openapis.org/oas/v3.1.1. */
export interface OpenApiDocument {
  openapi: '3.1.1';
  info: { title: string; version: string; description: string };
  servers: { url: string; description: string }[];
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json>; securitySchemes: Json };
}
