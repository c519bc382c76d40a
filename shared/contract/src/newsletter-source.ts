/** See `formSources`. */
export const NEWSLETTER_SOURCE = '1f6a2c58-93d4-4e0b-8a71-5c2e9b7d4f10';
