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

/** The current location, and the navigator that changes it: the value of both contexts of react-router. */
export interface RouterStore {
  basename: '/';
  /** The same object until the next navigation. */
  readonly location: Location;
  /** The location of the prerendered document. Parts that hydrate after a navigation need it to match their markup. */
  readonly initialLocation?: Location;
  readonly navigationType: NavigationType;
  /** Calls `listener` after each navigation; returns a function that stops that. */
  subscribe(listener: () => void): () => void;
  navigator: Navigator;
}

const neverChanges = () => () => undefined;

/**
 * A router whose contexts never change: a navigation re-renders only the components that read the location, through the hooks
 * below. React discards server markup that it cannot hydrate yet when a context above it changes, with everything that was
 * typed into it.
 */
export function StoreRouter({ store, children }: { store: RouterStore; children: ReactNode }) {
  return (
    // What is missing are switches of react-router that are off.
    <NavigationContext
      value={store as RouterStore & { static: false; useTransitions: undefined; future: object }}
    >
      <LocationContext value={store}>{children}</LocationContext>
    </NavigationContext>
  );
}

/** Re-renders the caller after each navigation. Below react-router's own routers the context changes. */
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
