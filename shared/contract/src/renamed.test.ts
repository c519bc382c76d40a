import * as v from 'valibot';
import { mapSchema } from './map.schema.ts';
import { renamed, withFormerNames } from './renamed.ts';
import { tolerant } from './tolerant.ts';
import { unknownFields } from './unknown-fields.ts';

const inner = renamed(v.strictObject({ live: v.string(), kind: v.string() }), { live: 'stable' });
const before = { stable: 'r1', kind: 'a' };
const now = { live: 'r1', kind: 'a' };
const both = { ...before, ...now };

const places: [string, v.GenericSchema, (value: object) => unknown][] = [
  ['an object', inner, (value) => value],
  ['an object in an object', v.object({ inner }), (value) => ({ inner: value })],
  ['an object in a list', v.array(inner), (value) => [value]],
  ['an object in a map', mapSchema(v.string(), inner), (value) => ({ a: value })],
  ['an object that may be null', v.nullable(inner), (value) => value],
  ['an object that may be left out', v.object({ inner: v.optional(inner) }), (value) => ({ inner: value })],
  [
    'an object that is checked',
    v.pipe(
      inner,
      v.check(() => true),
    ),
    (value) => value,
  ],
];

describe.each(places)('%s', (_what, schema, around) => {
  test('is read under both names, by whoever demands it and by whoever tolerates more', () => {
    for (const reader of [schema, tolerant(schema)]) {
      expect(v.parse(reader, around(before))).toEqual(around(now));
      expect(v.parse(reader, around(now))).toEqual(around(now));
    }
  });

  test('is written for a reader of the version before, whatever names it has now', () => {
    for (const value of [before, now]) {
      expect(withFormerNames(schema, around(value), 'both')).toEqual(around(both));
      expect(withFormerNames(schema, around(value), 'former')).toEqual(around(before));
    }
  });
});

test('what has both names is refused where nothing unknown is taken, and read by the new one elsewhere', () => {
  expect(v.is(inner, { ...now, stable: 'r2' })).toBe(false);
  expect(v.parse(tolerant(inner), { ...now, stable: 'r2' })).toEqual(now);
});

test('a former name is not an unknown field', () => {
  expect(unknownFields(inner, { ...before, other: 1 })).toEqual(['other']);
});

test('what is neither an object nor named is left as it is', () => {
  const values = [null, 'text', 7, ['a'], { other: 1 }];
  expect(values.map((value) => withFormerNames(inner, value, 'both'))).toEqual(values);
});

test('a value of a list is read under both names, and written under the former one, for it has room for no other', () => {
  const role = v.object({ role: renamed(v.picklist(['canary', 'live']), { live: 'stable' }) });
  for (const reader of [role, tolerant(role)]) {
    expect(v.parse(reader, { role: 'stable' })).toEqual({ role: 'live' });
    expect(v.parse(reader, { role: 'live' })).toEqual({ role: 'live' });
    expect(v.is(reader, { role: 'last' })).toBe(false);
  }
  for (const names of ['both', 'former'] as const) {
    expect(withFormerNames(role, { role: 'live' }, names)).toEqual({ role: 'stable' });
    expect(withFormerNames(role, { role: 'canary' }, names)).toEqual({ role: 'canary' });
  }
});

test('a part of the schema reads both names, too', () => {
  expect(v.parse(v.pick(inner, ['live']), { stable: 'r1' })).toEqual({ live: 'r1' });
});
