import { createContext, useContext, useState, useSyncExternalStore, type ReactNode } from 'react';
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

/** The current location, and the navigator that changes it. */
export interface RouterStore {
  get(): { location: Location; action: NavigationType };
  /** Calls `listener` after each change; returns a function that stops that. */
  subscribe(listener: () => void): () => void;
  navigator: Navigator;
}

/** Null below react-router's own routers, whose contexts change with the location. */
const StoreContext = createContext<RouterStore | null>(null);
const neverChanges = () => () => undefined;
const nothing = () => null;

/**
 * A router whose contexts never change: a navigation re-renders only the components that read the location, through the hooks
 * below. React discards server markup that it cannot hydrate yet when a context above it changes, with everything that was
 * typed into it.
 */
export function StoreRouter({ store, children }: { store: RouterStore; children: ReactNode }) {
  const [navigation] = useState(() => ({
    basename: '/',
    navigator: store.navigator,
    static: false,
    useTransitions: undefined,
    future: {},
  }));
  const [current] = useState(() => ({
    get location() {
      return store.get().location;
    },
    get navigationType() {
      return store.get().action;
    },
  }));
  return (
    <NavigationContext value={navigation}>
      <LocationContext value={current}>
        <StoreContext value={store}>{children}</StoreContext>
      </LocationContext>
    </NavigationContext>
  );
}

/** Re-renders the caller after each navigation. Every reader of the location needs it. */
export function useEachNavigation(): void {
  const store = useContext(StoreContext);
  const get = store?.get ?? nothing;
  useSyncExternalStore<unknown>(store?.subscribe ?? neverChanges, get, get);
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
