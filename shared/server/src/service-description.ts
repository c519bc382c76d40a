import type * as v from 'valibot';
import type { ErrorDefinition } from './api-error.ts';

export type Access =
  'open' | 'app' | 'app and optional guest' | 'app and guest' | 'app and late guest' | 'admin';

export interface Operation<SchemaName extends string = string> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  summary: string;
  description: string;
  access: Access | { token: string };
  id?: string;
  parameters?: Parameter[];
  include?: readonly string[];
  query?: QuerySchema;
  page?: boolean;
  body?: SchemaName;
  bodyType?: string;
  answers: Record<
    number,
    { description: string; schema?: string; type?: string; headers?: Record<string, string> }
  >;
  errors: string[];
}

export type Operations<SchemaName extends string = string> = Readonly<Record<string, Operation<SchemaName>>>;

export type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: v.GenericSchema;
}

export interface ServiceDescription {
  title: string;
  description: string;
  operations: Operation[];
  schemas: Record<string, v.GenericSchema>;
  errors: Record<string, ErrorDefinition>;
  commonErrors: { anyCall: string[]; withBody: string[] };
}

/** A part of an OpenAPI document, which is only written and displayed here. */
export type Json = { [key: string]: Json } | Json[] | string | number | boolean | null;

export interface OpenApiDocument {
  openapi: '3.1.1';
  info: { title: string; version: string; description: string };
  servers: { url: string; description: string }[];
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json>; securitySchemes: Json };
}
