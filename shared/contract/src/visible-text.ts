/**
 * What a terminal, or a reader of a log, would not show as itself: control characters (C0 but line breaks and tabs, DEL,
 * C1), format characters (directions of writing, invisible joiners and tags), separators of lines and paragraphs.
 */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * A text that came from others, with everything written out that could move the cursor, change colours, rename a window or
 * turn the order of letters: `\u001b` for an escape. JSON stays JSON, with the same meaning.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(invisible, (found) =>
      Array.from({ length: found.length }, (_, index) => escapeOf(found.charCodeAt(index))).join(''),
    );
}

/** The same on one line: a line break is written out, too, so that nobody can add lines to what we say. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n');
}

function escapeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
