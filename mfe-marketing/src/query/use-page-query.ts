import { useCallback, useSyncExternalStore } from 'react';
import { useSearchParams } from '@site/kit';

const noQuery = new URLSearchParams();
const neverChanges = () => () => undefined;

/**
 * The query of the address as a page's state. Pages are rendered ahead of time without any, so the first render in the
 * browser has none either (a different one would not match the document) and the real one follows at once.
 */
export function usePageQuery(): [URLSearchParams, (next: URLSearchParams) => void] {
  const [query, setQuery] = useSearchParams();
  const hydrated = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
  const replace = useCallback(
    (next: URLSearchParams) => setQuery(next, { replace: true, preventScrollReset: true }),
    [setQuery],
  );
  return [hydrated ? query : noQuery, replace];
}
