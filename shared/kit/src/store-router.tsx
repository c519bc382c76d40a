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
  readonly location: Location;
  readonly navigationType: NavigationType;
  /** Another object after each navigation. */
  get(): unknown;
  /** Calls `listener` after each navigation; returns a function that stops that. */
  subscribe(listener: () => void): () => void;
  navigator: Navigator;
}

const neverChanges = () => () => undefined;
const nothing = () => null;

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

/** Re-renders the caller after each navigation. Every reader of the location needs it. Below react-router's own routers the context changes. */
export function useEachNavigation(): void {
  const store = useContext(LocationContext) as Partial<RouterStore>;
  const get = store.get ?? nothing;
  useSyncExternalStore(store.subscribe ?? neverChanges, get, get);
}

export function useLocation(): Location {
  useEachNavigation();
  return useRouterLocation();
}

export function useNavigate(): NavigateFunction {
  useEachNavigation();
  return useRouterNavigate();
}

export const useSearchParams: typeof useRouterSearchParams = (defaultInit) => {
  useEachNavigation();
  return useRouterSearchParams(defaultInit);
};
