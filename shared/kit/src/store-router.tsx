import { useContext, useSyncExternalStore, type ReactNode } from 'react';
import {
  UNSAFE_LocationContext as LocationContext,
  UNSAFE_NavigationContext as NavigationContext,
  useLocation as useRouterLocation,
  useNavigate as useRouterNavigate,
  useSearchParams as useRouterSearchParams,
  type Location,
  type NavigateFunction,
  type NavigationType,
  type Navigator,
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

/** Re-renders the caller after each navigation. Within react-router's own routers the context changes. */
export function useLocation(): Location {
  const store = useContext(LocationContext) as Partial<RouterStore> & Pick<RouterStore, 'location'>;
  return useSyncExternalStore(
    store.subscribe ?? neverChanges,
    () => store.location,
    () => store.initialLocation ?? store.location,
  );
}

export function useNavigate(): NavigateFunction {
  useLocation();
  return useRouterNavigate();
}

export const useSearchParams: typeof useRouterSearchParams = (defaultInit) => {
  const location = useLocation();
  const current = useRouterLocation();
  const [params, setParams] = useRouterSearchParams(defaultInit);
  return [location === current ? params : new URLSearchParams(location.search), setParams];
};
