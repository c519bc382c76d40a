import { createContext, useContext, useSyncExternalStore } from 'react';
import type { SiteConfig, VariantChoice } from '@site/contract';
import type { SubmitForm } from './submit-form.ts';

/** The visitor as remotes may know them: the anonymous guest's id, or null while it is not known yet. */
export interface GuestView {
  guestId: string | null;
}

/** A value that changes over time and tells when it does. */
export interface Observable<T> {
  get(): T;
  /** Calls `listener` after each change; returns a function that stops that. */
  subscribe(listener: () => void): () => void;
}

/** What the shell gives to everything below it. */
export interface SiteServices {
  config: SiteConfig;
  guest: Observable<GuestView>;
  submitForm: SubmitForm;
}

export const SiteContext = createContext<SiteServices | null>(null);
export const VariantContext = createContext<VariantChoice>({});
/** Whether a click opens the page, and at its beginning. */
export const ArrivalContext = createContext(false);

/** The services of the shell. @throws Error outside of `SiteContext`: the component is not rendered by the shell. */
export function useSite(): SiteServices {
  const services = useContext(SiteContext);
  if (!services)
    throw new Error('No SiteContext above this component: render it through the shell or renderPage().');
  return services;
}

/** The run-time configuration of the site: origin, mode, service bases. */
export function useSiteConfig(): SiteConfig {
  return useSite().config;
}

const unknownGuest: GuestView = { guestId: null };

/** The visitor's guest identity; `{ guestId: null }` until the shell has it, and always when rendered ahead of time. */
export function useGuest(): GuestView {
  const { guest } = useSite();
  return useSyncExternalStore(guest.subscribe, guest.get, () => unknownGuest);
}

/**
 * The value drawn for a variant that the page declares in `remote.config.ts`. It stays the same as long as the page is
 * shown and is the one the page was rendered with ahead of time.
 *
 * @throws Error when the page does not declare the variant.
 */
export function useVariant(name: string): string {
  const value = useContext(VariantContext)[name];
  if (value === undefined) {
    throw new Error(`The page has no variant "${name}": declare it with its values in remote.config.ts.`);
  }
  return value;
}
