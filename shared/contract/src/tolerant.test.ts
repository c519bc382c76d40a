import * as v from 'valibot';
import { mapSchema } from './map.schema.ts';
import { tolerant } from './tolerant.ts';

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
