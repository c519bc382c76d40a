interface MailError {
  code?: unknown;
  responseCode?: unknown;
}

/** Codes only, because mail servers quote addresses in their texts. */
export function reasonOf(error: unknown): string {
  const { code, responseCode } = (error ?? {}) as MailError;
  return [code, responseCode].filter(isCode).join(' ') || 'unknown';
}

const isCode = (part: unknown): part is string | number =>
  typeof part === 'string' || typeof part === 'number';

/**
 * Permanent errors are 5xx replies to the recipient or message (RFC 5321, 4.2.1), but not to our login, which
 * may be fixed.
 */
export function isFinal(error: unknown): boolean {
  const { code, responseCode } = (error ?? {}) as MailError;
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && Number(responseCode) >= 500;
}
