import { plainText } from './plain-text.ts';

/** The page of results. A release has it when one of its remotes declares a page of this path. */
export const SEARCH_PATH = '/search';
/** Where the edge answers the same in JSON, as `SearchFound`. */
export const SEARCH_ANSWER_PATH = '/__site/search';
/** The parameter of both addresses. */
export const SEARCH_PARAMETER = 'q';

/**
 * What the page of results is written with: the edge puts the query in the place of the first one, and the results into the
 * element that has the second, which then holds them as JSON too.
 */
export const SEARCH_QUERY_ATTRIBUTE = 'data-search-query';
export const SEARCH_RESULTS_ATTRIBUTE = 'data-search-results';

/** Lengths in characters. What is beyond them is left out of the index, and no reason to refuse a page. */
export const searchLimits = {
  query: 200,
  /** Words of a query; of more, the shortest are left out. */
  words: 5,
  /** Places that an answer holds: the best. There may be more. */
  results: 20,
  /** Sections of one page. */
  sections: 100,
  heading: 200,
  /** The text of one section. */
  section: 5_000,
  /** The texts of one page together. */
  page: 20_000,
  /** The texts of one remote, and of a release, of which each of its remotes has the same part. */
  remote: 1_000_000,
  release: 8_000_000,
} as const;

/** One place that was found. All of it is text, never markup. */
export interface SearchResult {
  /** Path and, where there is one, anchor. */
  href: string;
  /** The page's own title. */
  title: string;
  /** What the place within the page is headed with; empty for the page itself. */
  heading: string;
  /** Some words around what was found. */
  text: string;
}

/** What the edge answers. */
export interface SearchFound {
  /** As it was understood: see `searchQueryOf`. */
  query: string;
  /** The best first. */
  results: SearchResult[];
  /** Nobody looked: there were too many searches. */
  isBusy?: true;
}

/** What is searched for, from the query of an address. Empty when nothing is. */
export function searchQueryOf(search: string): string {
  const asked = new URLSearchParams(search).get(SEARCH_PARAMETER) ?? '';
  return plainText(asked.slice(0, searchLimits.query));
}

/** The address of the page of results, or of the answer in JSON. */
export function searchAddress(path: typeof SEARCH_PATH | typeof SEARCH_ANSWER_PATH, query: string): string {
  return `${path}?${SEARCH_PARAMETER}=${encodeURIComponent(query)}`;
}

/** Says how much was found, above the results. */
export function searchSentence({ query, results: { length }, isBusy }: SearchFound): string {
  if (isBusy) return 'Too many searches at the moment';
  if (length === 0) return `Nothing found for “${query}”`;
  if (length === searchLimits.results) return `The ${length} best results for “${query}”`;
  return `${length} ${length === 1 ? 'result' : 'results'} for “${query}”`;
}

/** What to do where there are no results. */
export function searchAdvice({ isBusy }: SearchFound): string {
  return isBusy
    ? 'Try again in a minute.'
    : 'Check the spelling, or try fewer or different words. Good places to begin are listed here too.';
}
