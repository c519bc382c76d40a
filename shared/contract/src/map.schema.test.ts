import * as v from 'valibot';
import { FormContractsSchema } from './form-contract.ts';
import { mapSchema } from './map.schema.ts';
import { VariantsSchema } from './route.schema.ts';

const MapSchema = mapSchema(v.pipe(v.string(), v.maxLength(20)), v.number());
const said = (schema: v.GenericSchema, json: string) =>
  v.safeParse(schema, JSON.parse(json)).issues?.map(({ message }) => message);

test.each(['__proto__', 'prototype', 'constructor'])('rejects the name %s instead of dropping it', (name) => {
  const refused = [`The name "${name}" is not allowed here. Choose another name.`];
  expect(said(MapSchema, `{ "a": 1, "${name}": 2 }`)).toEqual(refused);
  const form = '{ "source_id": "x", "fields": {} }';
  expect(said(FormContractsSchema, `{ "${name}": ${form} }`)).toEqual(refused);
  expect(
    said(FormContractsSchema, `{ "a": { "source_id": "x", "fields": { "${name}": "required" } } }`),
  ).toEqual(refused);
  if (name !== '__proto__') expect(said(VariantsSchema, `{ "${name}": ["a", "b"] }`)).toEqual(refused);
});

test('keeps every other name, including inherited ones of objects', () => {
  expect(v.parse(MapSchema, { toString: 1, valueOf: 2, a: 3 })).toEqual({ toString: 1, valueOf: 2, a: 3 });
});

test('rejects other types and invalid values', () => {
  for (const input of [null, 'text', 1, { a: 'text' }, { ['a'.repeat(21)]: 1 }]) {
    expect(v.is(MapSchema, input)).toBe(false);
  }
});
