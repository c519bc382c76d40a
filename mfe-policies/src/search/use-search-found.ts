import { useEffect, useState } from 'react';
import {
  SEARCH_ANSWER_PATH,
  SEARCH_RESULTS_ATTRIBUTE,
  searchAddress,
  searchQueryOf,
  type SearchFound,
} from '@site/contract';
import { useLocation } from '@site/kit';

/** What the address asks for, and what was found for it. */
export interface SearchView {
  query: string;
  /** Null until there is an answer to this query. */
  found: SearchFound | null;
  /** The same, when it came after the document: nobody but the page says that it is there. */
  news: SearchFound | null;
  hasFailed: boolean;
}

/**
 * The edge writes the results into the document, so the first render has them already; whoever comes here without a new document,
 * by the Back button or from the field of the header, gets them from the edge's answer.
 */
export function useSearchFound(): SearchView {
  const { search, key } = useLocation();
  const query = searchQueryOf(search);
  const [written] = useState(foundInDocument);
  const [found, setFound] = useState(written);
  const [foundAt, setFoundAt] = useState(key);
  const [failed, setFailed] = useState('');
  // Results of one search never stand below the words of another.
  if (found && found.query !== query) setFound(null);
  // Nor is "too many searches" an answer to the same words when they are searched for again.
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
      // The same words may be asked for again later.
      setFailed('');
    };
    // `key`: who asks for the same words once more, after a failure, has the same address.
  }, [query, isWanted, key]);

  return { query, found, news: found === written ? null : found, hasFailed: isWanted && failed === query };
}

async function ask(query: string, signal: AbortSignal): Promise<SearchFound> {
  const response = await fetch(searchAddress(SEARCH_ANSWER_PATH, query), { signal });
  // Also 429 says so in the words of an answer: `isBusy`.
  if (!response.ok && response.status !== 429) throw new Error(`The search was answered ${response.status}.`);
  // Under the words as they were asked, by which the page knows its answer.
  return { ...((await response.json()) as SearchFound), query };
}

function foundInDocument(): SearchFound | null {
  // While the page is rendered ahead of time there is none.
  if (typeof document === 'undefined') return null;
  const data = document
    .querySelector(`[${SEARCH_RESULTS_ATTRIBUTE}]`)
    ?.getAttribute(SEARCH_RESULTS_ATTRIBUTE);
  return data ? (JSON.parse(data) as SearchFound) : null;
}
