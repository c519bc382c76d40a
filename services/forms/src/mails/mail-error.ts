interface MailError {
  code?: unknown;
  responseCode?: unknown;
}

/** Why a mail was not taken, by codes alone: the words of mail servers quote addresses. */
export function reasonOf(error: unknown): string {
  const { code, responseCode } = (error ?? {}) as MailError;
  return [code, responseCode].filter(isCode).join(' ') || 'unknown';
}

const isCode = (part: unknown): part is string | number =>
  typeof part === 'string' || typeof part === 'number';

/** A 5xx answer to this recipient or message will not change (RFC 5321, 4.2.1); one to our login may be fixed. */
export function isFinal(error: unknown): boolean {
  const { code, responseCode } = (error ?? {}) as MailError;
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && Number(responseCode) >= 500;
}
