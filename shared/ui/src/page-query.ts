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

/**
 * The choice of a `ToggleGroup` in the address (`?filter=growth`): it is there again after a reload, on the way back and behind a
 * link that is passed on.
 *
 * @param options the first is chosen by an address that names none of them, and does not stand there.
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
