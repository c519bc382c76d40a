import type { FastifyReply } from 'fastify';

/**
 * The media type of JSON:API, https://jsonapi.org/format/. It has no `charset`, because JSON is always UTF-8.
 */
export const JSON_API = 'application/vnd.api+json';

export interface ResourceIdentifier {
  type: string;
  id: string;
}

export interface Resource extends ResourceIdentifier {
  attributes: Record<string, unknown>;
  relationships?: Record<string, { data: ResourceIdentifier | null }>;
  links?: Record<string, string>;
}

/** A success response. `included` contains the resources that relationships refer to. */
export interface ResourceDocument {
  data: Resource;
  included?: Resource[];
  links?: Record<string, string>;
  meta?: Record<string, unknown>;
}

/** The default `no-store` applies unless the response overrides it. */
export function sendJsonApi(reply: FastifyReply, document: object): FastifyReply {
  return reply.type(JSON_API).send(document);
}

/** `status` is a string, as JSON:API requires. */
export interface ErrorObject {
  status: string;
  code: string;
  title: string;
  detail: string;
  source?: { pointer: string } | { parameter: string } | { header: string };
}

export interface ErrorDocument {
  errors: ErrorObject[];
  meta?: { requestId: string };
}
