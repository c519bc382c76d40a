import * as v from 'valibot';
import { baseErrors } from './base-errors.ts';
import { jsonApiErrors } from './json-api-call.ts';
import { commonErrors, openApiDocument } from './openapi.ts';
import type { Operation } from './service-description.ts';

interface Described {
  operationId: string;
  parameters: object[];
  security: object[];
  requestBody?: object;
  responses: Record<string, { description: string; content?: object; headers?: object }>;
}

function describeOperation(operation: Partial<Operation>): Described {
  const { paths } = openApiDocument({
    title: 'A service',
    description: 'A test',
    schemas: { Guest: v.object({ id: v.string() }) },
    errors: { ...baseErrors.table, ...jsonApiErrors.table },
    commonErrors,
    operations: [
      {
        method: 'get',
        path: '/guests/{id}',
        summary: 'a test',
        description: 'a test',
        access: 'open',
        answers: { 204: { description: 'done' } },
        errors: [],
        ...operation,
      },
    ],
  });
  return Object.values(paths[operation.path ?? '/guests/{id}'] ?? {})[0] as never;
}

test('an answer has the type and the schema that it is described with, or no content', () => {
  const { responses } = describeOperation({
    answers: {
      200: { description: 'a document', schema: 'Guest' },
      201: { description: 'other JSON', schema: 'Guest', type: 'application/json' },
      202: { description: 'a file', type: 'text/csv', headers: { 'content-range': 'which part' } },
      204: { description: 'nothing' },
    },
  });
  const schema = { $ref: '#/components/schemas/Guest' };
  expect(responses).toMatchObject({
    200: { content: { 'application/vnd.api+json': { schema } } },
    201: { content: { 'application/json': { schema } } },
    202: { content: { 'text/csv': {} }, headers: { 'content-range': { description: 'which part' } } },
  });
  expect(responses[200]).not.toHaveProperty('headers');
  expect(responses[204]).toEqual({ description: 'nothing' });
});

test('a body is JSON of a schema, or has another media type', () => {
  expect(describeOperation({})).not.toHaveProperty('requestBody');
  expect(describeOperation({ body: 'Guest' }).requestBody).toMatchObject({
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Guest' } } },
  });
  expect(describeOperation({ bodyType: 'text/plain' }).requestBody).toMatchObject({
    content: { 'text/plain': {} },
  });
});

test('a parameter of the path is a UUID unless it is described', () => {
  const id = { name: 'id', in: 'path', required: true } as const;
  expect(describeOperation({}).parameters).toEqual([{ ...id, schema: { type: 'string', format: 'uuid' } }]);
  const described = describeOperation({
    parameters: [{ ...id, schema: v.pipe(v.string(), v.maxLength(5)) }],
  });
  expect(described.parameters).toEqual([{ ...id, schema: { type: 'string', maxLength: 5 } }]);
  const other = describeOperation({
    parameters: [{ ...id, in: 'query', required: false, schema: v.string() }],
  });
  expect(other.parameters).toHaveLength(2);
});

test('an operation has the name that it is given, or one of its method and path', () => {
  expect(describeOperation({}).operationId).toBe('getGuestsId');
  expect(describeOperation({ id: 'readGuest' }).operationId).toBe('readGuest');
});

test.each<[Operation['access'], object[]]>([
  ['open', []],
  ['app', [{ app: [] }]],
  ['app and optional guest', [{ app: [] }, { app: [], guest: [] }]],
  ['app and guest', [{ app: [], guest: [] }]],
  ['admin', [{ admin: [] }]],
  [{ token: 'read' }, [{ token: [] }]],
])('access %j needs %j', (access, security) => {
  expect(describeOperation({ access }).security).toEqual(security);
});

test('a call has the common errors, and the errors of a body if it accepts one', () => {
  expect(describeOperation({}).responses).not.toHaveProperty('415');
  expect(describeOperation({ body: 'Guest' }).responses).toHaveProperty('415');
  expect(describeOperation({ bodyType: 'text/plain' }).responses).toHaveProperty('415');
  expect(describeOperation({}).responses).toHaveProperty('503');
});

test('a page responds with HTML, even if it fails', () => {
  const { responses } = describeOperation({ page: true, answers: { 200: { description: 'a page' } } });
  expect(responses[200]?.content).toEqual({ 'text/html': {} });
  expect(responses[503]?.content).toEqual({ 'text/html': {} });
});
