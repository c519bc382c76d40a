import { createContext } from 'react';

/** Subscribes an address; `honeypot` is what stood in the hidden field, empty for people. Resolves when the call is over; a failed call is logged and kept for a retry, not thrown. */
export type SubscribeToNewsletter = (email: string, honeypot?: string) => Promise<'sent' | 'failed'>;

export const NewsletterContext = createContext<SubscribeToNewsletter>(() => Promise.resolve('failed'));
