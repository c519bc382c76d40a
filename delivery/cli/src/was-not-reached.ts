const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What TLS says of the other side, before anything is sent. */
const NOT_HTTPS = /^(?:ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/;
const CERTIFICATE = /CERT|SIGNATURE|ERR_TLS_/;

/** Why no encrypted connection came about, or null when that was not the problem. */
export function tlsProblem(error: unknown): string | null {
  const code = codesOf(error).find((one) => NOT_HTTPS.test(one) || CERTIFICATE.test(one));
  if (code === undefined) return null;
  return NOT_HTTPS.test(code)
    ? 'what listens there does not speak https'
    : `its certificate is not accepted (${code})`;
}

/** Whether a request that failed did not get there: nothing was done, and asking again at once is of no use. */
export function wasNotReached(error: unknown): boolean {
  const codes = codesOf(error);
  // Without a code it is fetch itself that refused, a port that it blocks, for example.
  return codes.length === 0 || tlsProblem(error) !== null || codes.some((code) => NOT_REACHED.has(code));
}

/** Whether fetch gave up on an answer that did not begin for five minutes: the other side may still be at work. */
export function tookTooLong(error: unknown): boolean {
  return codesOf(error).includes('UND_ERR_HEADERS_TIMEOUT');
}

/** Whether there was a connection, which ended before the answer. */
export function brokeOff(error: unknown): boolean {
  return codesOf(error).some((code) => /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code));
}

function codesOf(error: unknown): string[] {
  const { cause } = error as { cause?: { code?: string; errors?: { code?: string }[] } };
  return [cause?.code, ...(cause?.errors ?? []).map(({ code }) => code)].filter((code) => code !== undefined);
}
