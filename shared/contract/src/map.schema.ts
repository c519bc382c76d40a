import * as v from 'valibot';

type NameSchema = v.BaseSchema<string, string, v.BaseIssue<unknown>>;

/** Keys that `v.record` silently drops. */
const LEFT_OUT = ['__proto__', 'prototype', 'constructor'];

/**
 * A map: author-chosen names → values. Use this instead of `v.record`, which silently drops keys such as
 * `__proto__`, so that the parsed value would differ from the sent one.
 */
export function mapSchema<Name extends NameSchema, Value extends v.GenericSchema>(name: Name, value: Value) {
  // oxlint-disable-next-line eslint-js/no-restricted-syntax -- this is the one place
  const map = v.record(name, value);
  return v.pipe(
    v.unknown(),
    // For OpenAPI documents.
    v.metadata({ map }),
    v.check(
      (input) => leftOut(input) === undefined,
      ({ input }) => `The name "${leftOut(input) ?? ''}" is not allowed here. Choose another name.`,
    ),
    map,
  );
}

function leftOut(input: unknown): string | undefined {
  return typeof input === 'object' && input !== null
    ? LEFT_OUT.find((name) => Object.hasOwn(input, name))
    : undefined;
}
