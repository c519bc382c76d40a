import type { FastifyReply } from 'fastify';

/** The media type of JSON:API documents, https://jsonapi.org/format/. It has no `charset`: it is JSON, which is UTF-8. */
export const JSON_API = 'application/vnd.api+json';

/** A reference to a resource. */
export interface ResourceIdentifier {
  type: string;
  id: string;
}

/** One resource of a document. */
export interface Resource extends ResourceIdentifier {
  attributes: Record<string, unknown>;
  relationships?: Record<string, { data: ResourceIdentifier | null }>;
  links?: Record<string, string>;
}

/** A successful answer. `included` holds the resources that relationships refer to. */
export interface ResourceDocument {
  data: Resource;
  included?: Resource[];
  links?: Record<string, string>;
  meta?: Record<string, unknown>;
}

/** Answers with a document. Every server says `no-store` of its answers, unless they say otherwise. */
export function sendJsonApi(reply: FastifyReply, document: object): FastifyReply {
  return reply.type(JSON_API).send(document);
}

/** One error of a failed answer. `status` is text, as JSON:API wants it. */
export interface ErrorObject {
  status: string;
  code: string;
  title: string;
  detail: string;
  source?: { pointer: string } | { parameter: string } | { header: string };
}

/** A failed answer. */
export interface ErrorDocument {
  errors: ErrorObject[];
  /** The id of the request, as in the `x-request-id` header. */
  meta?: { requestId: string };
}
