import { createContext, useContext, useSyncExternalStore } from 'react';
import type { SiteConfig, VariantChoice } from '@site/contract';
import type { SubmitForm } from './submit-form.ts';

/** The visitor, as far as remotes may know: the anonymous guest's id, or null until it is known. */
export interface GuestView {
  guestId: string | null;
}

export interface Observable<T> {
  get(): T;
  /** Calls `listener` after each change; returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
}

export interface SiteServices {
  config: SiteConfig;
  guest: Observable<GuestView>;
  submitForm: SubmitForm;
}

export const SiteContext = createContext<SiteServices | null>(null);
export const VariantContext = createContext<VariantChoice>({});
/** Whether a click opens the page at its top. */
export const ArrivalContext = createContext(false);
/** Receives the error of a section that was rendered again or replaced. */
export const SectionFaultContext = createContext<(error: unknown) => void>((error) => reportError(error));

/**
 * The services of the shell. @throws Error outside of `SiteContext`: the component is not rendered by the
 * shell.
 */
export function useSite(): SiteServices {
  const services = useContext(SiteContext);
  if (!services)
    throw new Error('No SiteContext above this component: render it through the shell or renderPage().');
  return services;
}

export function useSiteConfig(): SiteConfig {
  return useSite().config;
}

const unknownGuest: GuestView = { guestId: null };

/** The visitor's guest identity; `{ guestId: null }` until the shell has it, and always when prerendered. */
export function useGuest(): GuestView {
  const { guest } = useSite();
  return useSyncExternalStore(guest.subscribe, guest.get, () => unknownGuest);
}

/**
 * The chosen value of a variant that the page declares in `remote.config.ts`. Constant until the next load,
 * and equal to the prerendered one.
 * @throws Error if the page does not declare the variant.
 */
export function useVariant(name: string): string {
  const value = useContext(VariantContext)[name];
  if (value === undefined) {
    throw new Error(`The page has no variant "${name}": declare it with its values in remote.config.ts.`);
  }
  return value;
}
