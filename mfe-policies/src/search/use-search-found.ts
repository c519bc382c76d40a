import { useEffect, useState } from 'react';
import {
  SEARCH_ANSWER_PATH,
  SEARCH_RESULTS_ATTRIBUTE,
  searchAddress,
  searchQueryOf,
  type SearchFound,
} from '@site/contract';
import { useLocation } from '@site/kit';

/**
 * What the address asks for, and what was found. The edge writes the results into the document, so the first render has them
 * already; whoever comes here without a new document, by the Back button, gets them from the edge's answer.
 */
export function useSearchFound(): { query: string; found: SearchFound | null; hasFailed: boolean } {
  const query = searchQueryOf(useLocation().search);
  const [found, setFound] = useState(foundInDocument);
  const [failed, setFailed] = useState('');
  const known = found?.query ?? '';

  useEffect(() => {
    if (query === known) return undefined;
    const stop = new AbortController();
    ask(query, stop.signal).then(setFound, () => {
      if (!stop.signal.aborted) setFailed(query);
    });
    return () => stop.abort();
  }, [query, known]);

  return { query, found, hasFailed: query !== '' && failed === query };
}

async function ask(query: string, signal: AbortSignal): Promise<SearchFound | null> {
  if (query === '') return null;
  const response = await fetch(searchAddress(SEARCH_ANSWER_PATH, query), { signal });
  // Also 429 says so in the words of an answer: `isBusy`.
  if (!response.ok && response.status !== 429) throw new Error(`The search was answered ${response.status}.`);
  return (await response.json()) as SearchFound;
}

function foundInDocument(): SearchFound | null {
  // While the page is rendered ahead of time there is none.
  if (typeof document === 'undefined') return null;
  const data = document
    .querySelector(`[${SEARCH_RESULTS_ATTRIBUTE}]`)
    ?.getAttribute(SEARCH_RESULTS_ATTRIBUTE);
  return data ? (JSON.parse(data) as SearchFound) : null;
}
