import { createContext } from 'react';

/**
 * Subscribes an address. `honeypot` is the hidden field's value, empty for people. Resolves to the success message, or
 * to null after a failure, which is logged and kept for a retry, not thrown. `onDelivery` receives the message when a
 * retry succeeds. A delivered address is removed from the field, if it is still there.
 */
export type SubscribeToNewsletter = (
  email: string,
  honeypot?: string,
  onDelivery?: (message: string) => void,
) => Promise<string | null>;

export const NewsletterContext = createContext<SubscribeToNewsletter>(() => Promise.resolve(null));
