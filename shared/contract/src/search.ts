import { plainText } from './text.ts';

/** The results page. A release has it if a remote declares a page with this path. */
export const SEARCH_PATH = '/search';
export const SEARCH_ANSWER_PATH = '/__site/search';
export const SEARCH_PARAMETER = 'q';

/**
 * Placeholders in the results page: the edge inserts the query at the first one, and the results, as HTML and
 * as JSON, into the second.
 */
export const SEARCH_QUERY_ATTRIBUTE = 'data-search-query';
export const SEARCH_RESULTS_ATTRIBUTE = 'data-search-results';

/** Lengths in characters. Text beyond them is not indexed; the page is still accepted. */
export const searchLimits = {
  query: 200,
  words: 5,
  results: 20,
  /** Sections of a page. */
  sections: 100,
  heading: 200,
  section: 5_000,
  page: 20_000,
  resultsOfRemote: 10,
  vocabulary: 5_000,
  remote: 200_000,
  release: 8_000_000,
} as const;

export interface SearchResult {
  /** Path with optional anchor. */
  href: string;
  title: string;
  heading: string;
  text: string;
}

export interface SearchFound {
  /** Normalized: see `readSearchQuery`. */
  query: string;
  /** Best first. */
  results: SearchResult[];
  /** The search was not run: too many at the same time. */
  isBusy?: true;
}

export function readSearchQuery(search: string): string {
  const asked = new URLSearchParams(search).get(SEARCH_PARAMETER) ?? '';
  return plainText(asked.slice(0, searchLimits.query));
}

export function searchAddress(path: typeof SEARCH_PATH | typeof SEARCH_ANSWER_PATH, query: string): string {
  return `${path}?${SEARCH_PARAMETER}=${encodeURIComponent(query)}`;
}

export function searchSentence({ query, results: { length }, isBusy }: SearchFound): string {
  if (isBusy) return 'Too many searches at the moment';
  if (length === 0) return `Nothing found for “${query}”`;
  if (length === searchLimits.results) return `The ${length} best results for “${query}”`;
  return `${length} ${length === 1 ? 'result' : 'results'} for “${query}”`;
}

export function searchAdvice({ isBusy }: SearchFound): string {
  return isBusy
    ? 'Try again in a minute.'
    : 'Check the spelling, or try fewer or different words. Good places to begin are listed here too.';
}
