/**
 * Where the edge tells open tabs what is live. A module of its own: with the list of all addresses of the edge every visitor would load
 * all of them.
 */
export const STATE_PATH = '/__site/state';
