import * as v from 'valibot';
import { searchLimits } from './search.ts';

/** An anchor that a person wrote. Those that React makes begin with a sign, and are others in the next version. */
export const SearchAnchorSchema = v.pipe(v.string(), v.maxLength(100), v.regex(/^[a-z][\w-]*$/i));

/** A part of a page under one heading, as plain text. The first one of a page has no heading but the page's title. */
export const SearchSectionSchema = v.object({
  /** The id in the document that leads there. */
  anchor: v.nullable(SearchAnchorSchema),
  heading: v.pipe(v.string(), v.maxLength(searchLimits.heading)),
  text: v.pipe(v.string(), v.maxLength(searchLimits.section)),
});
export type SearchSection = v.InferOutput<typeof SearchSectionSchema>;

export const SearchSectionsSchema = v.pipe(v.array(SearchSectionSchema), v.maxLength(searchLimits.sections));
