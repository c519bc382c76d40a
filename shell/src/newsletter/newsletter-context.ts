import { createContext } from 'react';

/** Subscribes an address. Resolves when the call is over; a failed call is logged and kept for a retry, not thrown. */
export type SubscribeToNewsletter = (email: string) => Promise<'sent' | 'failed'>;

export const NewsletterContext = createContext<SubscribeToNewsletter>(() => Promise.resolve('failed'));
