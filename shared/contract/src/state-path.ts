/**
 * Where the edge tells open tabs what is live. A module of its own: with the list of all addresses of the edge every visitor would load
 * all of them.
 */
export const STATE_PATH = '/__site/state';

/** What a tab is told there. */
export interface StateAnswer {
  /** What the visitor would get now. */
  release: string | null;
  /** The tab's own release when it is to be left. Tabs of older shells do not name theirs: they get the newest of all. */
  revoked: string[];
}
