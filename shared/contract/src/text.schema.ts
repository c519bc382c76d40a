import * as v from 'valibot';

/**
 * Control characters have no place in a name or an address, and PostgreSQL cannot store the first of them, nor half of a
 * surrogate pair.
 */
export const oneLine = v.regex(
  /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u,
  'Remove line breaks and control characters.',
);
const manyLines = v.regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, 'Remove control characters.');

/**
 * What a team writes and others read beside the texts of other teams: one line, without the characters that turn the
 * direction of writing round for whatever follows.
 */
export const plainLine = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]*$/u;
export const onePlainLine = v.regex(
  plainLine,
  'Use one line, without control characters and without those that change the direction of writing.',
);

/** A required line of text: trimmed, not empty (`message` says what to enter), at most `max` characters. */
export const lineSchema = (message: string, max: number = 100) =>
  v.pipe(
    v.string(message),
    v.trim(),
    v.nonEmpty(message),
    v.maxLength(max, `Use at most ${max} characters.`),
    oneLine,
  );

/** A line of text that may be empty. */
export const optionalLineSchema = (max: number = 100) =>
  v.pipe(v.string(), v.trim(), v.maxLength(max, `Use at most ${max} characters.`), oneLine);

/** Required lines of text: trimmed, not empty (`message` says what to enter), at most `max` characters. */
export const textSchema = (message: string, max: number) =>
  v.pipe(
    v.string(message),
    v.trim(),
    v.nonEmpty(message),
    v.maxLength(max, `Use at most ${max} characters.`),
    manyLines,
  );

/**
 * A web address is something with `://`, or with a dot and two letters in a row right behind it: every domain ends in
 * such letters, and mail programs make a link of it without a scheme.
 */
const noLinks = v.regex(
  /^(?!.*(?::\/\/|[.\u3002\uff0e\uff61][\p{L}\p{N}\p{M}_-]*\p{L}\p{M}*\p{L}))/su,
  'Take out web addresses: a message holds no links. Put a space behind each full stop.',
);

/** Several lines of text that may be empty, and hold nothing that a mail program makes a link of. */
export const linklessTextSchema = (max: number) =>
  v.pipe(v.string(), v.trim(), v.maxLength(max, `Use at most ${max} characters.`), manyLines, noLinks);

/** JSON as a text: read, and checked by `schema`. */
export const jsonText = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(v.string(), v.parseJson(), schema);

/** A UUID as RFC 9562 writes it, in lower case. */
export const UuidSchema = v.pipe(
  v.string(),
  v.uuid('A unique id is a UUID, such as "5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11".'),
  v.toLowerCase(),
);
