import * as v from 'valibot';

/** Excludes control characters, and lone surrogates, which PostgreSQL cannot store (nor U+0000). */
export const oneLine = v.regex(
  /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u,
  'Remove line breaks and control characters.',
);
const manyLines = v.regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, 'Remove control characters.');

/**
 * A line that is shown next to other teams' text: without line breaks and bidirectional controls, which would
 * affect the text after it.
 */
export const plainLine = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]*$/u;
export const onePlainLine = v.regex(
  plainLine,
  'Use one line, without control characters and without those that change the direction of writing.',
);

/** A required line: trimmed, not empty (`message` says what to enter), at most `max` characters. */
export const lineSchema = (message: string, max: number = 100) =>
  v.pipe(
    v.string(message),
    v.trim(),
    v.nonEmpty(message),
    v.maxLength(max, `Use at most ${max} characters.`),
    oneLine,
  );

export const optionalLineSchema = (max: number = 100) =>
  v.pipe(v.string(), v.trim(), v.maxLength(max, `Use at most ${max} characters.`), oneLine);

/** Required multiline text: trimmed, not empty (`message` says what to enter), at most `max` characters. */
export const textSchema = (message: string, max: number) =>
  v.pipe(
    v.string(message),
    v.trim(),
    v.nonEmpty(message),
    v.maxLength(max, `Use at most ${max} characters.`),
    manyLines,
  );

/**
 * A URL is something with `://`, or with a dot followed by two letters: every top-level domain has them, and
 * mail programs turn it into a link even without a scheme.
 */
const noLinks = v.regex(
  /^(?!.*(?::\/\/|[.\u3002\uff0e\uff61][\p{L}\p{N}\p{M}_-]*\p{L}\p{M}*\p{L}))/su,
  'Take out web addresses: a message holds no links. Put a space behind each full stop.',
);

/** Optional multiline text without anything that mail programs turn into a link. */
export const linklessTextSchema = (max: number) =>
  v.pipe(v.string(), v.trim(), v.maxLength(max, `Use at most ${max} characters.`), manyLines, noLinks);

/** Parses JSON text and validates it with `schema`. */
export const jsonText = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(v.string(), v.parseJson(), schema);

/** A lower-case UUID (RFC 9562). */
export const UuidSchema = v.pipe(
  v.string(),
  v.uuid('A unique id is a UUID, such as "5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11".'),
  v.toLowerCase(),
);
