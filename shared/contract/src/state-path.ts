/**
 * The edge's endpoint for open tabs. A separate module, so that visitors do not load the list of all edge
 * paths.
 */
export const STATE_PATH = '/__site/state';

export interface StateAnswer {
  /** The release that the visitor would get now. */
  release: string | null;
  /**
   * The tab's own release if it must be left. Tabs of old shells do not send theirs and get the latest
   * entries.
   */
  revoked: string[];
}
