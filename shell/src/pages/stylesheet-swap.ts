export interface StylesheetSwap {
  outdate(remote: string, isSameBuild: boolean): void;
  dropOutdated(remote: string): void;
}

/** Two builds of one remote may give one class name two meanings, so their styles must not coexist. */
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

/**
 * Only the shown page's remote styles the document. Others are disabled, because webpack would not load a removed
 * stylesheet again; so are those that arrive later. @returns ends it.
 */
export function showStyles(remote: string): () => void {
  const { head } = document;
  const show = () => {
    for (const style of head.querySelectorAll<HTMLStyleElement | HTMLLinkElement>('style,link')) {
      const href = style.dataset['href'] ?? style.getAttribute('href') ?? '';
      if (style.sheet && href.includes('/assets/mfe-'))
        style.sheet.disabled = !href.includes(`/assets/${remote}/`);
    }
  };
  show();
  // Load events do not bubble.
  head.addEventListener('load', show, true);
  return () => head.removeEventListener('load', show, true);
}
