import type { Json, OpenApiDocument } from './service-description.ts';

type Schema = Record<string, Json>;

export interface SchemaField {
  path: string;
  type: string;
  refers?: string | undefined;
  optional: boolean;
}

export function flattenSchema(schema: Json, path = '', optional = false): SchemaField[] {
  const own = asSchema(schema);
  const { properties, items, additionalProperties, required = [] } = own;
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (properties)
    return Object.entries(asSchema(properties)).flatMap(([name, part]) =>
      flattenSchema(part, below(name), !(required as string[]).includes(name)),
    );
  if (items) return flattenSchema(items, `${path}[]`, optional);
  if (typeof additionalProperties === 'object' && additionalProperties !== null)
    return flattenSchema(additionalProperties, below('*'), optional);
  return [{ path: path === '' ? '(all)' : path, type: typeText(own), refers: refersTo(own), optional }];
}

export function schemaSample({ components }: OpenApiDocument, name: string): Json {
  const sample = (schema: Json, key = ''): Json => {
    const own = asSchema(schema);
    const refers = refersTo(own);
    if (refers !== undefined) return sample(components.schemas[refers] ?? {}, key);
    if (own['const'] !== undefined) return own['const'];
    const [first] = (own['enum'] ?? []) as Json[];
    if (first !== undefined) return first;
    const parts = alternatives(own);
    if (parts.length > 0)
      return sample(parts.findLast((part) => asSchema(part)['type'] !== 'null') ?? null, key);
    if (own['type'] === 'object')
      return Object.fromEntries(
        Object.entries(asSchema(own['properties'] ?? {})).map(([field, part]) => [
          field,
          sample(part, field),
        ]),
      );
    if (own['type'] === 'array') return own['items'] ? [sample(own['items'], key)] : [];
    if (own['type'] === 'boolean') return true;
    if (own['type'] === 'integer' || own['type'] === 'number') return own['minimum'] ?? 1;
    if (own['type'] !== 'string') return null;
    return stringSample(own, key);
  };
  return sample({ $ref: `#/components/schemas/${name}` });
}

function stringSample({ format }: Schema, key: string): string {
  if (format === 'uuid') return '0b0e7c5a-3f0d-4f5e-9a57-6c1f0a2d8e41';
  if (/_at$|At$/.test(key)) return '2026-03-04T09:00:00Z';
  if (key === 'email') return 'ada@example.com';
  if (key === 'name') return 'Ada';
  return '…';
}

function typeText(schema: Schema): string {
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' or ');
  const parts = alternatives(schema);
  if (parts.length > 8) return `one of ${parts.length} values`;
  if (parts.length > 0)
    return parts.map((part) => refersTo(asSchema(part)) ?? typeText(asSchema(part))).join(' or ');
  const { type, format, maxLength } = schema;
  return [
    typeof type === 'string' ? type : 'any',
    typeof format === 'string' ? format : '',
    typeof maxLength === 'number' ? `at most ${maxLength} characters` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

const alternatives = ({ anyOf, oneOf }: Schema): Json[] => (anyOf ?? oneOf ?? []) as Json[];

const refersTo = ({ $ref }: Schema): string | undefined =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;

const asSchema = (schema: Json): Schema =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? schema : {};
