import { baseErrors } from '@site/server/base-errors';

/** No answer holds more: whoever wants all of them asks again, with what the answer says to go on with. */
export const PAGE = 200;

/** The query of a list that is answered in pages. */
export interface PageQuery {
  limit?: string;
  before?: string;
}

/** @throws ApiError `request_malformed`. */
export function wholeNumber(parameter: string, text: string, max: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= max) return number;
  throw baseErrors.request_malformed(
    `"${parameter}" is "${text.slice(0, 20)}": a whole number from 1 to ${max} is needed.`,
    { source: { parameter } },
  );
}

/** Of rows that were asked for with one more than the page holds: the page, and its last row when more follow. */
export function pageOf<Row>(rows: readonly Row[], limit: number): { page: Row[]; last: Row | null } {
  const page = rows.slice(0, limit);
  return { page, last: rows.length > limit ? (page.at(-1) ?? null) : null };
}
