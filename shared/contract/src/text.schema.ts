import * as v from 'valibot';
import { hasLink, typedText } from './typed-text.ts';

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

export const lineSchema = (message: string, max: number = 100) =>
  v.pipe(
    v.string(message),
    v.transform(typedText),
    v.nonEmpty(message),
    v.maxLength(max, `Use at most ${max} characters.`),
    oneLine,
  );

export const optionalLineSchema = (max: number = 100) =>
  v.pipe(v.string(), v.transform(typedText), v.maxLength(max, `Use at most ${max} characters.`), oneLine);

export const textSchema = (message: string, max: number) =>
  v.pipe(
    v.string(message),
    v.transform(typedText),
    v.nonEmpty(message),
    v.maxLength(max, `Use at most ${max} characters.`),
    manyLines,
  );

/** Optional multiline text. */
export const optionalTextSchema = (max: number) =>
  v.pipe(v.string(), v.transform(typedText), v.maxLength(max, `Use at most ${max} characters.`), manyLines);

/** Optional multiline text for emails, without anything that mail programs turn into a link. */
export const linklessTextSchema = (max: number) =>
  v.pipe(
    optionalTextSchema(max),
    v.check(
      (text) => !hasLink(text),
      'Take out web addresses such as example.com: a message holds no links.',
    ),
  );

export const jsonText = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(v.string(), v.parseJson(), schema);

export const UuidSchema = v.pipe(
  v.string(),
  v.uuid('A unique id is a UUID, such as "5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11".'),
  v.toLowerCase(),
);
