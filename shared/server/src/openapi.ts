import { toJsonSchema } from '@valibot/to-json-schema';
import type { FastifyInstance } from 'fastify';
import type * as v from 'valibot';
import type { Json, OpenApiDocument, Operation, ServiceDescription } from './service-description.ts';
import type { ErrorDefinition } from './api-error.ts';
import { JSON_API } from './json-api.ts';
import { jsonApiErrors } from './json-api-call.ts';
import { openApiPage } from './openapi-page.ts';

export const commonErrors: ServiceDescription['commonErrors'] = {
  anyCall: [
    'request_malformed',
    'request_timeout',
    'rate_limited',
    'headers_too_large',
    'internal',
    'disk_full',
    'database_read_only',
    'unavailable',
  ],
  withBody: ['body_not_json', 'body_too_large', 'media_type_unsupported', 'body_invalid'],
};

const ERRORS = 'ErrorDocument';

/**
 * The OpenAPI 3.1 document of a service. Its schemas are generated from those that validate requests.
 *
 * @param server the URL of the service, relative to the document's.
 */
export function openApiDocument(service: ServiceDescription, server = '.'): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of service.operations) {
    (paths[operation.path] ??= {})[operation.method] = operationObject(operation, service);
  }
  return {
    openapi: '3.1.1',
    info: { title: service.title, version: '1', description: service.description },
    servers: [{ url: server, description: 'The service that serves this document.' }],
    paths,
    components: {
      schemas: { ...componentSchemas(service), [ERRORS]: errorSchema(service.errors) },
      securitySchemes: {
        app: { type: 'apiKey', in: 'header', name: 'appid', description: 'The app id of the site.' },
        guest: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: "The guest's own token." },
        admin: { type: 'http', scheme: 'bearer', description: 'The ADMIN_TOKEN of the service.' },
        token: { type: 'http', scheme: 'bearer', description: 'A token of the registry.' },
      },
    },
  };
}

/**
 * Serves the document at `/openapi.json`, and as a readable page at `/docs`; admin operations below `/admin/`, which
 * proxies block. All are created on demand.
 */
export function serveOpenApi(app: FastifyInstance, service: ServiceDescription): void {
  const [open, admin] = splitByAudience(service);
  serve('', open, '.');
  if (admin.operations.length > 0) serve('/admin', admin, '..');

  function serve(prefix: string, part: ServiceDescription, server: string): void {
    let made: { json: string; page: ReturnType<typeof openApiPage> } | undefined;
    function make() {
      const document = openApiDocument(part, server);
      return { json: JSON.stringify(document), page: openApiPage(document, part) };
    }
    app.get(`${prefix}/openapi.json`, async (_request, reply) =>
      reply.type('application/json').send((made ??= make()).json),
    );
    app.get(`${prefix}/docs`, async (_request, reply) => {
      const { policy, html } = (made ??= make()).page;
      return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html);
    });
  }
}

/**
 * The public and the admin operations. Schemas and errors that only admin operations use are in the second part, which
 * has no others except common errors.
 */
function splitByAudience(service: ServiceDescription): [open: ServiceDescription, admin: ServiceDescription] {
  const admin = service.operations.filter(({ access }) => access === 'admin');
  const open = service.operations.filter(({ access }) => access !== 'admin');
  const { anyCall, withBody } = service.commonErrors;
  const common = [...anyCall, ...withBody, ...Object.keys(jsonApiErrors.table)];
  const collectErrors = (operations: Operation[]) =>
    new Set(operations.flatMap(({ errors }) => errors).concat(common));
  const schemas = {
    open: new Set(open.flatMap(operationSchemas)),
    admin: new Set(admin.flatMap(operationSchemas)),
  };
  const errors = { open: collectErrors(open), admin: collectErrors(admin) };
  const only = <Entry>(entries: Record<string, Entry>, isKept: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => isKept(name)));
  return [
    {
      ...service,
      operations: open,
      schemas: only(service.schemas, (name) => schemas.open.has(name) || !schemas.admin.has(name)),
      errors: only(service.errors, (code) => errors.open.has(code) || !errors.admin.has(code)),
    },
    {
      ...service,
      title: `${service.title} admin`,
      operations: admin,
      schemas: only(service.schemas, (name) => schemas.admin.has(name)),
      errors: only(service.errors, (code) => errors.admin.has(code)),
    },
  ];
}

const operationSchemas = ({ body, answers }: Operation): string[] =>
  [body, ...Object.values(answers).map(({ schema }) => schema)].filter((name) => name !== undefined);

function operationObject(operation: Operation, service: ServiceDescription): Json {
  const { anyCall, withBody } = service.commonErrors;
  const { body, bodyType, parameters: described = [] } = operation;
  const codes = [
    ...operation.errors,
    ...anyCall,
    ...(body || bodyType ? withBody : []),
    ...(answersWithJsonApi(operation) ? Object.keys(jsonApiErrors.table) : []),
  ];
  const parameters: Json[] = [...operation.path.matchAll(/\{(\w+)\}/g)]
    .filter(([, name]) => !described.some((parameter) => parameter.in === 'path' && parameter.name === name))
    .map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string', format: 'uuid' },
    }));
  parameters.push(
    ...described.map(({ schema, ...parameter }) => ({ ...parameter, schema: jsonSchema(schema) })),
  );
  const name = operation.path.replaceAll(/\W+(\w)/g, (_match, letter: string) => letter.toUpperCase());
  return {
    operationId: operation.id ?? operation.method + name.replaceAll(/\W/g, ''),
    summary: operation.summary,
    description: operation.description,
    parameters,
    security: securityRequirements(operation.access),
    ...(body || bodyType
      ? {
          requestBody: {
            required: true,
            content: body ? { 'application/json': { schema: reference(body) } } : { [String(bodyType)]: {} },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, answer]) => [
          status,
          { ...answerObject(answer), ...(operation.page ? { content: { 'text/html': {} } } : {}) },
        ]),
      ),
      ...errorResponses(codes, service.errors, operation.page ?? false),
    },
  };
}

export function answersWithJsonApi({ answers }: Operation): boolean {
  return Object.values(answers).some(({ schema, type }) => schema !== undefined && type === undefined);
}

function securityRequirements(access: Operation['access']): Json {
  switch (access) {
    case 'open':
      return [];
    case 'app':
      return [{ app: [] }];
    case 'app and optional guest':
      return [{ app: [] }, { app: [], guest: [] }];
    case 'app and guest':
    case 'app and late guest':
      return [{ app: [], guest: [] }];
    case 'admin':
      return [{ admin: [] }];
    default:
      return [{ token: [] }];
  }
}

function answerObject({
  description,
  schema,
  type,
  headers,
}: Operation['answers'][number]): Record<string, Json> {
  return {
    description,
    ...(schema || type
      ? { content: { [type ?? JSON_API]: schema ? { schema: reference(schema) } : {} } }
      : {}),
    ...(headers
      ? {
          headers: Object.fromEntries(
            Object.entries(headers).map(([name, what]) => [
              name,
              { description: what, schema: { type: 'string' } },
            ]),
          ),
        }
      : {}),
  };
}

function errorResponses(
  codes: string[],
  table: Record<string, ErrorDefinition>,
  page: boolean,
): Record<string, Json> {
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const definition = table[code];
    if (!definition) throw new TypeError(`"${code}" is not in any error table of the service.`);
    byStatus.set(definition.status, [...(byStatus.get(definition.status) ?? []), `\`${code}\``]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([first], [second]) => first - second)
      .map(([status, names]) => [
        status,
        {
          description: names.join(', '),
          content: page ? { 'text/html': {} } : { [JSON_API]: { schema: reference(ERRORS) } },
        },
      ]),
  );
}

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

function componentSchemas(service: ServiceDescription): Record<string, Json> {
  const schemas = Object.entries(service.schemas).map(
    ([name, schema]) => [name, jsonSchema(schema)] as const,
  );
  const names = new Map(schemas.map(([name, schema]) => [JSON.stringify(schema), name]));
  const referring = (schema: Json): Json => {
    if (typeof schema !== 'object' || schema === null) return schema;
    const name = 'properties' in schema || 'oneOf' in schema ? names.get(JSON.stringify(schema)) : undefined;
    return name === undefined ? partsReferring(schema) : reference(name);
  };
  const partsReferring = (schema: Json): Json => {
    if (typeof schema !== 'object' || schema === null) return schema;
    if (Array.isArray(schema)) return schema.map(referring);
    return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, referring(part)]));
  };
  return Object.fromEntries(schemas.map(([name, schema]) => [name, partsReferring(schema)]));
}

function jsonSchema(schema: v.GenericSchema): Json {
  // Transformations such as trimming do not change what may be sent.
  const generated = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
    // A map states its value type, because its schema converts after validation, which the generator does not follow.
    overrideAction({ valibotAction }) {
      const { map } = (valibotAction as { metadata?: { map?: v.GenericSchema } }).metadata ?? {};
      return map && (jsonSchema(map) as object);
    },
  });
  delete generated.$schema;
  return generated as Json;
}

function errorSchema(table: Record<string, ErrorDefinition>): Json {
  const text = { type: 'string' };
  return {
    type: 'object',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['status', 'code', 'title', 'detail'],
          properties: {
            status: text,
            code: {
              type: 'string',
              oneOf: Object.entries(table).map(([code, { title, remedy }]) => ({
                const: code,
                title,
                description: remedy,
              })),
            },
            title: text,
            detail: text,
            source: { type: 'object', properties: { pointer: text, parameter: text, header: text } },
          },
        },
      },
      meta: { type: 'object', properties: { requestId: text } },
    },
  };
}
