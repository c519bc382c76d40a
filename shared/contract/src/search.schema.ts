import * as v from 'valibot';
import { searchLimits } from './search.ts';

/**
 * An anchor written by an author. React's generated ids begin with other characters and change between
 * versions.
 */
export const SearchAnchorSchema = v.pipe(v.string(), v.maxLength(100), v.regex(/^[a-z][\w-]*$/i));

/** A section of a page with a heading, as plain text. The first one has the page's title instead. */
export const SearchSectionSchema = v.object({
  /** The element's id. */
  anchor: v.nullable(SearchAnchorSchema),
  heading: v.pipe(v.string(), v.maxLength(searchLimits.heading)),
  text: v.pipe(v.string(), v.maxLength(searchLimits.section)),
});
export type SearchSection = v.InferOutput<typeof SearchSectionSchema>;

export const SearchSectionsSchema = v.pipe(v.array(SearchSectionSchema), v.maxLength(searchLimits.sections));
