import * as v from 'valibot';
import { isUnknownField, unknownFields } from './unknown-fields.ts';

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

test('the issue of an unknown field differs from that of a wrong or a missing one', () => {
  const issuesOf = (value: unknown) => v.safeParse(schema, value).issues?.map(isUnknownField);
  expect(issuesOf({ name: 'a', more: 1 })).toEqual([true]);
  expect(issuesOf({ name: 1 })).toEqual([false]);
  expect(issuesOf({})).toEqual([false]);
  expect(issuesOf('text')).toEqual([false]);
});
