import type * as v from 'valibot';
import type { ErrorDefinition } from './api-error.ts';

/** One call of a service, described for people and programs. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'delete';
  /** With parameters in braces: `/guests/{id}`. */
  path: string;
  summary: string;
  description: string;
  /** Whether it needs the `appid` header, and whose token. */
  access: 'open' | 'app' | 'app and optional guest' | 'app and guest' | 'admin';
  /** Whether an `Idempotency-Key` makes repeating it harmless. */
  idempotencyKey?: boolean;
  /** Whether people meet it in a browser: it answers with pages, also when it fails. */
  page?: boolean;
  /** The name of a schema for the request body. */
  body?: string;
  answers: Record<number, { description: string; schema?: string; headers?: Record<string, string> }>;
  /** Codes of the service's error tables, beside those that every call can have. */
  errors: string[];
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
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json>; securitySchemes: Json };
}
