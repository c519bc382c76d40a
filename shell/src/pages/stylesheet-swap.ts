/** Exchanges the stylesheets of one build of a remote for those of another, without a moment in between. */
export interface StylesheetSwap {
  /**
   * From now on another container of the remote is loaded: the stylesheets of the other build go when it has arrived. Of the same
   * build, only those go that never loaded.
   */
  outdate(remote: string, isSameBuild: boolean): void;
  /** The other build has arrived, with its styles. */
  dropOutdated(remote: string): void;
}

/** Two builds of one remote may give one class name two meanings, so their styles must not stand side by side. */
export function createStylesheetSwap({ head }: Document): StylesheetSwap {
  const outdated = new Map<string, HTMLElement[]>();
  return {
    outdate(remote, isSameBuild) {
      const path = `/assets/${remote}/`;
      const sheets = [
        ...head.querySelectorAll<HTMLStyleElement | HTMLLinkElement>(
          `style[data-href*="${path}"],link[rel=stylesheet][href*="${path}"]`,
        ),
      ].filter(({ sheet }) => !isSameBuild || sheet === null);
      // webpack looks for this attribute and would not load a file again that both builds have.
      for (const sheet of sheets) sheet.dataset['href'] = '-';
      outdated.set(remote, [...(outdated.get(remote) ?? []), ...sheets]);
    },
    dropOutdated(remote) {
      for (const sheet of outdated.get(remote) ?? []) sheet.remove();
      outdated.delete(remote);
    },
  };
}
