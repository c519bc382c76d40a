import { flattenSchema, schemaSample } from './openapi-schema.ts';
import type { Json, OpenApiDocument } from './service-description.ts';

const guest: Json = {
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['id', 'kind', 'tags'],
      properties: {
        id: { type: 'string', format: 'uuid' },
        kind: { const: 'guest' },
        email: { anyOf: [{ const: '' }, { type: 'string', maxLength: 9 }] },
        seen_at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        tags: { type: 'array', items: { enum: ['a', 'b'] } },
        role: { $ref: '#/components/schemas/Role' },
        links: { type: 'object', additionalProperties: { type: 'integer', minimum: 3 } },
      },
    },
  },
};
const document = {
  components: {
    schemas: { Guest: guest, Role: { type: 'object', properties: { name: { type: 'string' } } } },
  },
} as unknown as OpenApiDocument;

test('the fields of a schema have their paths and types', () => {
  expect(
    flattenSchema(guest).map(({ path, type, refers, optional }) => [path, refers ?? type, optional]),
  ).toEqual([
    ['data.id', 'string, uuid', false],
    ['data.kind', '"guest"', false],
    ['data.email', '"" or string, at most 9 characters', true],
    ['data.seen_at', 'string or null', true],
    ['data.tags[]', '"a" or "b"', false],
    ['data.role', 'Role', true],
    ['data.links.*', 'integer', true],
  ]);
});

test('a sample has the form of the schema', () => {
  expect(schemaSample(document, 'Guest')).toEqual({
    data: {
      id: '0b0e7c5a-3f0d-4f5e-9a57-6c1f0a2d8e41',
      kind: 'guest',
      email: 'ada@example.com',
      seen_at: '2026-03-04T09:00:00Z',
      tags: ['a'],
      role: { name: 'Ada' },
      links: {},
    },
  });
});
