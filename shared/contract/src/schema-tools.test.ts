import * as v from 'valibot';
import { FormContractsSchema } from './forms/form-contract.ts';
import { isUnknownField, mapSchema, tolerant, unknownFields } from './schema-tools.ts';
import { VariantsSchema } from './route.schema.ts';

const MapSchema = mapSchema(v.pipe(v.string(), v.maxLength(20)), v.number());
const said = (schema: v.GenericSchema, json: string) =>
  v.safeParse(schema, JSON.parse(json)).issues?.map(({ message }) => message);

test.each(['__proto__', 'prototype', 'constructor'])(
  'a map rejects the name %s instead of dropping it',
  (name) => {
    const refused = [`The name "${name}" is not allowed here. Choose another name.`];
    expect(said(MapSchema, `{ "a": 1, "${name}": 2 }`)).toEqual(refused);
    const form = '{ "source_id": "x", "fields": {} }';
    expect(said(FormContractsSchema, `{ "${name}": ${form} }`)).toEqual(refused);
    expect(
      said(FormContractsSchema, `{ "a": { "source_id": "x", "fields": { "${name}": "required" } } }`),
    ).toEqual(refused);
    if (name !== '__proto__') expect(said(VariantsSchema, `{ "${name}": ["a", "b"] }`)).toEqual(refused);
  },
);

test('a map keeps every other name, including inherited ones of objects', () => {
  expect(v.parse(MapSchema, { toString: 1, valueOf: 2, a: 3 })).toEqual({ toString: 1, valueOf: 2, a: 3 });
});

test('a map rejects other types and invalid values', () => {
  for (const input of [null, 'text', 1, { a: 'text' }, { ['a'.repeat(21)]: 1 }]) {
    expect(v.is(MapSchema, input)).toBe(false);
  }
});

const inner = v.strictObject({ known: v.pipe(v.string(), v.maxLength(3)) });
const more = { known: 'yes', added: 1 };
const known = { known: 'yes' };

test.each([
  ['an object', inner, more, known],
  ['an object in an object', v.object({ inner }), { inner: more, more }, { inner: known }],
  ['an object in a list', v.array(inner), [more], [known]],
  ['an object in a map', mapSchema(v.string(), inner), { a: more }, { a: known }],
  ['an object that may be null', v.nullable(inner), more, known],
  [
    'an object that may be left out',
    v.object({ inner: v.optional(inner) }),
    { inner: more },
    { inner: known },
  ],
  ['one of two objects', v.union([v.string(), inner]), more, known],
  [
    'an object of a kind',
    v.variant('kind', [
      v.strictObject({ kind: v.literal('a'), inner }),
      v.strictObject({ kind: v.literal('b') }),
    ]),
    { kind: 'a', inner: more, more },
    { kind: 'a', inner: known },
  ],
  [
    'an object that is checked',
    v.pipe(
      v.strictObject({ inner }),
      v.check(() => true),
    ),
    { inner: more, more },
    { inner: known },
  ],
])('%s may have unknown fields', (_what, schema: v.GenericSchema, value, read) => {
  expect(v.is(schema, value)).toBe(false);
  expect(v.parse(tolerant(schema), value)).toEqual(read);
});

test('known fields are still validated', () => {
  const schema = v.pipe(
    v.strictObject({ inner, kind: v.picklist(['a', 'b']), count: v.optional(v.number(), 7) }),
    v.check(({ count }) => count < 9, 'Too many.'),
  );
  const reader = tolerant(schema);
  const good = { inner: known, kind: 'a' };
  expect(v.parse(reader, good)).toEqual({ ...good, count: 7 });
  const complaints = (value: object) =>
    v.safeParse(reader, value).issues?.map((issue) => v.getDotPath(issue) ?? issue.message);
  expect(complaints({ ...good, inner: {} })).toEqual(['inner.known']);
  expect(complaints({ ...good, inner: { known: 'long' } })).toEqual(['inner.known']);
  expect(complaints({ ...good, kind: 'c' })).toEqual(['kind']);
  expect(complaints({ ...good, count: 9 })).toEqual(['Too many.']);
});

test('the strict schema stays strict', () => {
  tolerant(inner);
  expect(v.is(inner, more)).toBe(false);
});

const schema = v.strictObject({ name: v.string() });

test('fields not in a strict schema are unknown, including those of every object', () => {
  const value = JSON.parse('{"name":"a","more":1,"toString":2,"__proto__":3}') as object;
  expect(unknownFields(schema, value)).toEqual(['more', 'toString', '__proto__']);
  expect(unknownFields(schema, { name: 'a' })).toEqual([]);
});

test.each([null, undefined, 'text', 1, ['a']])('%j has no fields', (value) => {
  expect(unknownFields(schema, value)).toEqual([]);
});

test('a schema that takes further fields knows them all', () => {
  expect(unknownFields(v.object({ name: v.string() }), { more: 1 })).toEqual([]);
  expect(unknownFields(v.string(), { more: 1 })).toEqual([]);
});

test('the issue of an unknown field differs from the issue of a wrong or a missing one', () => {
  const listIssues = (value: unknown) => v.safeParse(schema, value).issues?.map(isUnknownField);
  expect(listIssues({ name: 'a', more: 1 })).toEqual([true]);
  expect(listIssues({ name: 1 })).toEqual([false]);
  expect(listIssues({})).toEqual([false]);
  expect(listIssues('text')).toEqual([false]);
});
