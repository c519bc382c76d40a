/** The addresses of the edge that the shell asks: a module of its own, for every byte of the list of all of them would go to visitors. */

/** What is live: open tabs ask. */
export const STATE_PATH = '/__site/state';
/** Browsers ask for a token, and tell how a page went. */
export const SIGNALS_PATH = '/__site/signals';
