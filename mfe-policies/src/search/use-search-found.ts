import { useEffect, useState } from 'react';
import {
  SEARCH_ANSWER_PATH,
  SEARCH_RESULTS_ATTRIBUTE,
  searchAddress,
  readSearchQuery,
  type SearchFound,
} from '@site/contract';
import { useLocation } from '@site/kit';

export interface SearchView {
  query: string;
  found: SearchFound | null;
  /** The results if they arrived after the document: the page must announce them. */
  news: SearchFound | null;
  hasFailed: boolean;
}

/**
 * The edge writes the results into the document, so the first render has them. Navigation without a new document (the
 * Back button, the header's search field) requests them from the edge.
 */
export function useSearchFound(): SearchView {
  const { search, key } = useLocation();
  const query = readSearchQuery(search);
  const [written] = useState(foundInDocument);
  const [found, setFound] = useState(written);
  const [foundAt, setFoundAt] = useState(key);
  const [failed, setFailed] = useState('');
  // Never show the results of another query.
  if (found && found.query !== query) setFound(null);
  // A repeated search also discards an earlier "too many searches" answer.
  if (foundAt !== key) {
    setFoundAt(key);
    if (found?.isBusy) setFound(null);
  }
  const isWanted = query !== '' && !found;

  useEffect(() => {
    if (!isWanted) return undefined;
    const stop = new AbortController();
    ask(query, stop.signal).then(setFound, () => {
      if (!stop.signal.aborted) setFailed(query);
    });
    return () => {
      stop.abort();
      // Allows a retry of the same query.
      setFailed('');
    };
    // `key` changes on a retry of the same query, the URL does not.
  }, [query, isWanted, key]);

  return { query, found, news: found === written ? null : found, hasFailed: isWanted && failed === query };
}

async function ask(query: string, signal: AbortSignal): Promise<SearchFound> {
  const response = await fetch(searchAddress(SEARCH_ANSWER_PATH, query), { signal });
  // The edge reports a 429 with a regular answer: `isBusy`.
  if (!response.ok && response.status !== 429) throw new Error(`The search was answered ${response.status}.`);
  // Keyed by the query as sent, which the page compares.
  return { ...((await response.json()) as SearchFound), query };
}

function foundInDocument(): SearchFound | null {
  // No document during prerendering.
  if (typeof document === 'undefined') return null;
  const data = document
    .querySelector(`[${SEARCH_RESULTS_ATTRIBUTE}]`)
    ?.getAttribute(SEARCH_RESULTS_ATTRIBUTE);
  return data ? (JSON.parse(data) as SearchFound) : null;
}
