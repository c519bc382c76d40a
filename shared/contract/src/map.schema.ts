import * as v from 'valibot';

type NameSchema = v.BaseSchema<string, string, v.BaseIssue<unknown>>;

/** What `v.record` leaves out of its output without a word. */
const LEFT_OUT = ['__proto__', 'prototype', 'constructor'];

/**
 * An object that is a map: names that its author chose → values. The one way to describe such an object: `v.record` by itself
 * silently drops keys such as `__proto__`, so the checked value would differ from the one sent.
 */
export function mapSchema<Name extends NameSchema, Value extends v.GenericSchema>(name: Name, value: Value) {
  // oxlint-disable-next-line eslint-js/no-restricted-syntax -- this is the one place
  const map = v.record(name, value);
  return v.pipe(
    v.unknown(),
    // For those who describe it: the OpenAPI documents.
    v.metadata({ map }),
    v.check(
      (input) => leftOut(input) === undefined,
      ({ input }) => `Nothing can be named "${leftOut(input) ?? ''}" here. Choose another name.`,
    ),
    map,
  );
}

function leftOut(input: unknown): string | undefined {
  return typeof input === 'object' && input !== null
    ? LEFT_OUT.find((name) => Object.hasOwn(input, name))
    : undefined;
}
