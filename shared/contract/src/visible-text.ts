/**
 * Invisible or dangerous characters for terminals and logs: control characters (C0 except line breaks and
 * tabs, DEL, C1), format characters (bidirectional controls, invisible joiners and tags), line and paragraph
 * separators.
 */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Escapes foreign text so that it cannot move the cursor, change colors, rename a window or reverse the
 * direction: `\u001b` for an escape. JSON stays equivalent JSON.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(invisible, (found) =>
      Array.from({ length: found.length }, (_, index) => escapeOf(found.charCodeAt(index))).join(''),
    );
}

/** Also escapes line breaks, so that foreign text cannot add lines to our output. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n');
}

function escapeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
