import { createHash } from 'node:crypto';

/**
 * The Content-Security-Policy source of an inline script or style.
 * @param text every character between the tags.
 * @see https://www.w3.org/TR/CSP3/#grammardef-hash-source
 */
export function cspHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
