import { createContext } from 'react';

/**
 * Subscribes an address; `honeypot` is what stood in the hidden field, empty for people. Resolves when the call is over to what the visitor is
 * told; to null when it failed, which is logged and kept for a retry, not thrown.
 */
export type SubscribeToNewsletter = (email: string, honeypot?: string) => Promise<string | null>;

export const NewsletterContext = createContext<SubscribeToNewsletter>(() => Promise.resolve(null));
