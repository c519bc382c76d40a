/** Exchanges the stylesheets of one build of a remote for those of another, without a moment in between. */
export interface StylesheetSwap {
  /** From now on another build of the remote is loaded: what stands in the document goes when that has arrived. */
  outdate(remote: string): void;
  /** The other build has arrived, with its styles. */
  dropOutdated(remote: string): void;
}

/** Two builds of one remote may give one class name two meanings, so their styles must not stand side by side. */
export function createStylesheetSwap({ head }: Document): StylesheetSwap {
  const outdated = new Map<string, HTMLElement[]>();
  return {
    outdate(remote) {
      const path = `/assets/${remote}/`;
      const sheets = [
        ...head.querySelectorAll<HTMLElement>(
          `style[data-href*="${path}"],link[rel=stylesheet][href*="${path}"]`,
        ),
      ];
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
