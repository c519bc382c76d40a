import { createContext } from 'react';

/**
 * Subscribes an address; `honeypot` is what stood in the hidden field, empty for people. Resolves when the call is over to what the visitor is
 * told; to null when it failed, which is logged and kept for a retry, not thrown. `later` gets what is told when a retry has arrived. An address
 * that has arrived is taken out of the field, if it still stands there.
 */
export type SubscribeToNewsletter = (
  email: string,
  honeypot?: string,
  later?: (told: string) => void,
) => Promise<string | null>;

export const NewsletterContext = createContext<SubscribeToNewsletter>(() => Promise.resolve(null));
