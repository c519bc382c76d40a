import { useCallback, useSyncExternalStore } from 'react';
import { useSearchParams } from '@site/kit';

const noQuery = new URLSearchParams();
const neverChanges = () => () => undefined;

/**
 * The URL's query as page state. Prerendered pages have none, so the first render in the browser has none either
 * (otherwise hydration would fail), and the real one follows immediately.
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

/**
 * A `ToggleGroup`'s selection in the URL (`?filter=growth`). It survives a reload, the Back button and a shared link.
 *
 * @param options the first one is the default, and is omitted from the URL.
 */
export function usePageFilter<Value extends string>(
  options: readonly [{ value: Value }, ...{ value: Value }[]],
): [Value, (chosen: Value) => void] {
  const [query, replaceQuery] = usePageQuery();
  const named = query.get('filter');
  const [first] = options;
  const { value } = options.find((option) => option.value === named) ?? first;
  const show = (chosen: Value) => {
    const next = new URLSearchParams(query);
    if (chosen === first.value) next.delete('filter');
    else next.set('filter', chosen);
    replaceQuery(next);
  };
  return [value, show];
}
