import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { defineErrors } from './api-error.ts';
import { baseErrors } from './base-errors.ts';
import { JSON_API } from './json-api.ts';

/** What JSON:API has a server refuse before it looks at a call: https://jsonapi.org/format/. */
export const jsonApiErrors = defineErrors({
  query_unsupported: {
    status: 400,
    title: 'Unsupported query parameter',
    remedy: 'Leave it out; /openapi.json lists the query parameters of each call.',
  },
  not_acceptable: {
    status: 406,
    title: 'No acceptable media type',
    remedy: 'Accept "application/vnd.api+json" without parameters.',
  },
});

/**
 * The options of a route that is called as JSON:API has it. A media type may have the parameters `ext` and `profile` only, and no
 * extension is known; of the query parameters whose names JSON:API keeps for itself only `include` is, where `include` names
 * the relationships that can be asked for, and those that `query` names, such as `filter[form]` and `page[size]`.
 *
 * Throws ApiError `query_unsupported`, `not_acceptable`, `media_type_unsupported`.
 *
 * @example
 * app.get('/identities/:id', jsonApiCall({ include: ['role'] }), (request) => …);
 */
export function jsonApiCall({
  include = [],
  query = [],
}: { include?: readonly string[] | undefined; query?: readonly string[] } = {}): {
  onRequest: onRequestHookHandler;
} {
  return {
    onRequest(request, _reply, done) {
      checkContentType(request.headers['content-type'] ?? '');
      checkAccept(request.headers.accept ?? '');
      checkQuery(request, include, query);
      done();
    },
  };
}

/**
 * The relationships whose resources a call asks for; null when it leaves that to the server.
 *
 * @see https://jsonapi.org/format/#fetching-includes
 */
export function includedBy(request: FastifyRequest): readonly string[] | null {
  const { include } = request.query as Record<string, string | string[] | undefined>;
  return include === undefined ? null : pathsOf(include);
}

function pathsOf(include: string | string[]): string[] {
  return [include].flat().flatMap((paths) => paths.split(',').filter(Boolean));
}

function checkQuery(request: FastifyRequest, include: readonly string[], query: readonly string[]): void {
  for (const [name, value] of Object.entries(request.query as Record<string, string | string[]>)) {
    // Names with any other character are left to those who run a site: https://jsonapi.org/format/#query-parameters-custom
    if (!/^[a-z]+(?:\[|$)/.test(name) || query.includes(name)) continue;
    const source = { parameter: name };
    const shown = name.slice(0, 100);
    if (name !== 'include' || include.length === 0)
      throw jsonApiErrors.query_unsupported(`This call does not take "${shown}" in its query.`, { source });
    const unknown = pathsOf(value).find((path) => !include.includes(path));
    if (unknown !== undefined)
      throw jsonApiErrors.query_unsupported(
        `"include" asks for "${unknown.slice(0, 100)}"; it can be ${include.map((path) => `"${path}"`).join(', ')}.`,
        { source },
      );
  }
}

function checkContentType(header: string): void {
  const { type, parameters } = mediaTypeOf(header);
  if (type === JSON_API && !isPlain(parameters))
    throw baseErrors.media_type_unsupported(
      `The "content-type" is "${header.slice(0, 100)}", whose parameters this server does not know.`,
      { source: { header: 'content-type' } },
    );
}

/** Several may be accepted: one without foreign parameters is enough. */
function checkAccept(header: string): void {
  const asked = split(header, ',')
    .map(mediaTypeOf)
    .filter(({ type }) => type === JSON_API);
  if (asked.length > 0 && !asked.some(({ parameters }) => isPlain(parameters)))
    throw jsonApiErrors.not_acceptable(
      `"accept" is "${header.slice(0, 100)}", which takes JSON:API only with parameters that this server does not know.`,
      { source: { header: 'accept' } },
    );
}

interface MediaType {
  type: string;
  /** Their names. */
  parameters: string[];
}

function mediaTypeOf(text: string): MediaType {
  const [type = '', ...parameters] = split(text, ';').map((part) => part.trim().toLowerCase());
  return { type, parameters: parameters.map((parameter) => parameter.split('=')[0]?.trim() ?? '') };
}

/** A profile that is not known is ignored; `q` says how much a type is wanted, and is not a parameter of it. */
function isPlain(parameters: readonly string[]): boolean {
  return parameters.every((name) => name === 'profile' || name === 'q' || name === '');
}

/** Splits a header where the separator is not within quotation marks. */
function split(header: string, separator: string): string[] {
  const parts: string[] = [];
  let quoted = false;
  let start = 0;
  for (let at = 0; at < header.length; at += 1) {
    const letter = header[at];
    if (quoted && letter === '\\') at += 1;
    else if (letter === '"') quoted = !quoted;
    else if (letter === separator && !quoted) {
      parts.push(header.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, header.slice(start)];
}
