/**
 * Takes the contents of script elements out of markup, in one pass: the markup is foreign, and a pattern that looks for
 * the end of each script anew takes minutes for one that was made for it.
 *
 * @returns the rest, and what stands in the opening tags; null when a script does not end.
 */
export function takeOutScripts(markup: string): { rest: string; attributes: string[] } | null {
  const opening = /<script\b/gi;
  const closing = /<\/script\s*>/gi;
  const attributes: string[] = [];
  let rest = '';
  let at = 0;
  for (;;) {
    opening.lastIndex = at;
    const start = opening.exec(markup);
    if (!start) return { rest: rest + markup.slice(at), attributes };
    const end = markup.indexOf('>', start.index);
    closing.lastIndex = end;
    if (end < 0 || !closing.exec(markup)) return null;
    attributes.push(markup.slice(opening.lastIndex, end));
    rest += `${markup.slice(at, end + 1)}</script>`;
    at = closing.lastIndex;
  }
}
