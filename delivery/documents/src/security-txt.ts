export const SECURITY_TXT = 'security.txt';

/**
 * The text expires a year after the release, so that an unmaintained site stops promising that reports are read.
 * @see https://www.rfc-editor.org/rfc/rfc9116
 * @param at the time of the release.
 */
export function securityTxtExpiry(at: string): Date {
  const expiry = new Date(at);
  expiry.setUTCFullYear(expiry.getUTCFullYear() + 1);
  return expiry;
}
