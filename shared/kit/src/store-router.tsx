import {
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import {
  createSearchParams,
  parsePath,
  resolvePath,
  UNSAFE_LocationContext as LocationContext,
  UNSAFE_NavigationContext as NavigationContext,
  type Location,
  type NavigateFunction,
  type NavigateOptions,
  type NavigationType,
  type Navigator,
  type Path,
  type SetURLSearchParams,
  type To,
  type URLSearchParamsInit,
} from 'react-router-dom';

/** The current location and the navigator: the value of both contexts of react-router. */
export interface RouterStore {
  basename: '/';
  /** The same object until the next navigation. */
  readonly location: Location;
  /**
   * The location of the prerendered document. Parts that hydrate after a navigation need it to match their
   * markup.
   */
  readonly initialLocation?: Location;
  readonly navigationType: NavigationType;
  /** Calls `listener` after each navigation; returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
  navigator: Navigator;
}

const neverChanges = () => () => undefined;

/**
 * A router whose contexts never change: a navigation re-renders only components that use the hooks below.
 * React discards unhydrated server markup, including form input, when a context above it changes.
 */
export function StoreRouter({ store, children }: { store: RouterStore; children: ReactNode }) {
  return (
    // Omitted props are disabled features of react-router.
    <NavigationContext
      value={store as RouterStore & { static: false; useTransitions: undefined; future: object }}
    >
      <LocationContext value={store}>{children}</LocationContext>
    </NavigationContext>
  );
}

export function useLocation(): Location {
  const store = useContext(LocationContext) as Partial<RouterStore> & Pick<RouterStore, 'location'>;
  return useSyncExternalStore(
    store.subscribe ?? neverChanges,
    () => store.location,
    () => store.initialLocation ?? store.location,
  );
}

/** The address of a link at this path. A query or hash alone belongs to the open page. */
export function resolveTo(to: To, pathname: string): Path {
  const path = typeof to === 'string' ? parsePath(to) : to;
  return resolvePath(path, path.pathname ? '/' : pathname);
}

// The router's own hooks also support data routers, and would add 1 KB to every page.

export function useHref(path: Path): string {
  const { navigator, basename } = useContext(NavigationContext);
  return navigator.createHref(withBase(path, basename));
}

/** Calls from a page that the visitor has left, such as those of a timer, have no effect. */
export function useNavigate(): NavigateFunction {
  const { pathname } = useLocation();
  const store = useContext(LocationContext);
  const { navigator, basename } = useContext(NavigationContext);
  const isUnmounted = useRef(false);
  useEffect(() => {
    isUnmounted.current = false;
    return () => void (isUnmounted.current = true);
  }, []);
  return useCallback(
    (to: To | number, options: NavigateOptions = {}) => {
      if (isUnmounted.current && store.location.pathname !== pathname) return;
      if (typeof to === 'number') navigator.go(to);
      else
        navigator[options.replace ? 'replace' : 'push'](
          withBase(resolveTo(to, pathname), basename),
          options.state,
          options,
        );
    },
    [navigator, store, basename, pathname],
  );
}

/** The router's paths do not contain its base path, such as `/console`; the document's addresses do. */
function withBase(path: Path, basename: string): Path {
  const { pathname } = path;
  return basename === '/' ? path : { ...path, pathname: pathname === '/' ? basename : basename + pathname };
}

export function useSearchParams(initial?: URLSearchParamsInit): [URLSearchParams, SetURLSearchParams] {
  const { search } = useLocation();
  const navigate = useNavigate();
  /** Apply until the first change. */
  const [defaults, setDefaults] = useState(initial);
  const params = useMemo(() => {
    const found = createSearchParams(search);
    const given = createSearchParams(defaults);
    for (const name of new Set(given.keys()))
      if (!found.has(name)) for (const value of given.getAll(name)) found.append(name, value);
    return found;
  }, [search, defaults]);
  const setParams = useCallback<SetURLSearchParams>(
    (next, options) => {
      setDefaults(undefined);
      const wanted = typeof next === 'function' ? next(createSearchParams(params)) : next;
      void navigate(`?${createSearchParams(wanted)}`, options);
    },
    [navigate, params],
  );
  return [params, setParams];
}
