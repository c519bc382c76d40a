import fc from 'fast-check';

/** Texts that have broken servers: NUL, lone surrogates, separators, SQL, paths, prototypes, long ones. */
const nasty = fc.constantFrom(
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u2028',
  "'; drop table guests; --",
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '%00',
  'a'.repeat(5_000),
  '😀'.repeat(100),
);

export const hostileValues: fc.Arbitrary<unknown> = fc.oneof(nasty, fc.jsonValue({ maxDepth: 3 }));

export const hostileIds: fc.Arbitrary<string> = fc.oneof(
  nasty.filter((text) => text !== '\ud800'),
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.string({ unit: 'grapheme', minLength: 1 }),
);

const headerText = fc.string({ unit: fc.constantFrom(...Array.from('azAZ09 -_.,;:"=%/\\@')) });

/** Headers that a service reads, with any texts. */
export const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    appid: headerText,
    origin: headerText,
    'idempotency-key': headerText,
    'x-request-id': headerText,
    'x-forwarded-for': headerText,
    accept: headerText,
  },
  { requiredKeys: [] },
);
