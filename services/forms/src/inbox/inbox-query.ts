import { InboxCursorSchema } from '@site/contract/inbox.schema';
import { isWholeNumber } from '@site/contract/text';
import * as v from 'valibot';

export const pageSizeSchema = (byDefault: number, most: number) =>
  v.pipe(
    v.optional(v.string(), String(byDefault)),
    v.check((text) => isWholeNumber(text, 1, most), `Give a whole number from 1 to ${most}.`),
    v.transform(Number),
  );

/** Where a list continues. */
export const cursorSchema = v.pipe(
  InboxCursorSchema,
  v.transform((text) => {
    const [at = '', id = ''] = text.split('~');
    return { at: new Date(Number(at)), id };
  }),
);

export const cursorOf = (at: Date, id: string): string => `${at.getTime()}~${id}`;
