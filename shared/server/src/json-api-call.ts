import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { defineErrors } from './api-error.ts';
import { baseErrors } from './base-errors.ts';
import { JSON_API } from './json-api.ts';

/** Checks that JSON:API requires: https://jsonapi.org/format/. */
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
 * Route options that enforce JSON:API's content negotiation. Media types may have only the parameters `ext`
 * and `profile`, and no extension is supported. Of the query parameters reserved by JSON:API, only `include`
 * (with the given relationships) and the names in `query`, such as `filter[form]` and `page[size]`, are
 * accepted.
 * Throws ApiError `query_unsupported`, `not_acceptable`, `media_type_unsupported`.
 * @example app.get('/identities/:id', jsonApiCall({ include: ['role'] }), (request) => …);
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

export function includedBy(request: FastifyRequest): readonly string[] | null {
  const { include } = request.query as Record<string, string | string[] | undefined>;
  return include === undefined ? null : splitPaths(include);
}

function splitPaths(include: string | string[]): string[] {
  return [include].flat().flatMap((paths) => paths.split(',').filter(Boolean));
}

function checkQuery(request: FastifyRequest, include: readonly string[], query: readonly string[]): void {
  for (const [name, value] of Object.entries(request.query as Record<string, string | string[]>)) {
    // Names with other characters are implementation-specific:
    // https://jsonapi.org/format/#query-parameters-custom
    if (!/^[a-z]+(?:\[|$)/.test(name) || query.includes(name)) continue;
    const source = { parameter: name };
    const shown = name.slice(0, 100);
    if (name !== 'include' || include.length === 0)
      throw jsonApiErrors.query_unsupported(`This call does not support "${shown}" in its query.`, {
        source,
      });
    const unknown = splitPaths(value).find((path) => !include.includes(path));
    if (unknown !== undefined)
      throw jsonApiErrors.query_unsupported(
        `"include" requests "${unknown.slice(0, 100)}"; supported: ${include.map((path) => `"${path}"`).join(', ')}.`,
        { source },
      );
  }
}

function checkContentType(header: string): void {
  const { type, parameters } = parseMediaType(header);
  if (type === JSON_API && !isPlain(parameters))
    throw baseErrors.media_type_unsupported(
      `The "content-type" is "${header.slice(0, 100)}", with parameters that this server does not support.`,
      { source: { header: 'content-type' } },
    );
}

function checkAccept(header: string): void {
  const asked = split(header, ',')
    .map(parseMediaType)
    .filter(({ type }) => type === JSON_API);
  if (asked.length > 0 && !asked.some(({ parameters }) => isPlain(parameters)))
    throw jsonApiErrors.not_acceptable(
      `"accept" is "${header.slice(0, 100)}", which accepts JSON:API only with parameters that ` +
        'this server does not support.',
      { source: { header: 'accept' } },
    );
}

interface MediaType {
  type: string;
  parameters: string[];
}

function parseMediaType(text: string): MediaType {
  const [type = '', ...parameters] = split(text, ';').map((part) => part.trim().toLowerCase());
  return { type, parameters: parameters.map((parameter) => parameter.split('=')[0]?.trim() ?? '') };
}

/** Unknown profiles are ignored; `q` is a weight and not a parameter of the type. */
function isPlain(parameters: readonly string[]): boolean {
  return parameters.every((name) => name === 'profile' || name === 'q' || name === '');
}

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
