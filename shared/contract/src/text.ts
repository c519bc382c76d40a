import { notJoiner } from './typed-text.ts';

/** `12.3 KB`, in units of 1,000. May be negative for differences. */
export function byteText(count: number): string {
  const size = Math.abs(count);
  if (size < 1000) return `${count} B`;
  return size < 1_000_000 ? `${(count / 1000).toFixed(1)} KB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

/** `2026-01-01 12:00:05 UTC`. */
export function timeText(at: Date | string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Whether a text is a whole number from `from` to `to`: digits only, no sign, exponent or spaces. */
export function isWholeNumber(text: string, from: number, to: number): boolean {
  return /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to;
}

export function readWholeNumber(text: string | null | undefined, from: number, to: number): number | null {
  return text != null && isWholeNumber(text, from, to) ? Number(text) : null;
}

/**
 * Normalizes a text to one line, for search and non-browser clients. Format characters such as soft hyphens
 * occur within words and are removed; white space and control characters separate words.
 */
export function plainText(text: string): string {
  return text
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
}

/**
 * Invisible or dangerous characters for terminals and logs: control characters (C0 except line breaks and
 * tabs, DEL, C1), format characters (bidirectional controls, tags, joiners outside words), line and paragraph
 * separators.
 */
const invisible = new RegExp(String.raw`(?![\n\t])${notJoiner}[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]`, 'gu');

/**
 * Escapes foreign text so that it cannot move the cursor, change colors, rename a window or reverse the
 * direction: `\u001b` for an escape. JSON stays equivalent JSON.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(invisible, (found) =>
      Array.from({ length: found.length }, (_, index) => escapeUnit(found.charCodeAt(index))).join(''),
    );
}

/** Also escapes line breaks, so that foreign text cannot add lines to our output. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n');
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** Escapes text between tags. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Escapes text for double-quoted attributes; also valid between tags. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}

/** JSON that can neither end its element nor break a JavaScript parser. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
