import { proxyRefusal } from '@site/contract/env-proxy';

const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** TLS errors that occur before anything is sent. */
const NOT_HTTPS = /^(?:ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/;
const CERTIFICATE = /CERT|SIGNATURE|ERR_TLS_/;

/** Null for other problems. */
export function tlsProblem(error: unknown): string | null {
  const code = errorCodes(error).find((one) => NOT_HTTPS.test(one) || CERTIFICATE.test(one));
  if (code === undefined) return null;
  return NOT_HTTPS.test(code)
    ? 'the server does not speak https'
    : `its certificate is not accepted (${code})`;
}

/** Nothing was done, and an immediate retry is pointless. */
export function isUnreachable(error: unknown): boolean {
  if (proxyRefusal(error) !== null) return true;
  const codes = errorCodes(error);
  // Without a code, fetch itself rejected the request, such as for a blocked port.
  return codes.length === 0 || tlsProblem(error) !== null || codes.some((code) => NOT_REACHED.has(code));
}

/** After five minutes without a response; the server may still be working. */
export function isResponseTimeout(error: unknown): boolean {
  return errorCodes(error).includes('UND_ERR_HEADERS_TIMEOUT');
}

export function isConnectionReset(error: unknown): boolean {
  return errorCodes(error).some((code) => /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code));
}

function errorCodes(error: unknown): string[] {
  const { cause } = error as { cause?: { code?: string; errors?: { code?: string }[] } };
  return [cause?.code, ...(cause?.errors ?? []).map(({ code }) => code)].filter((code) => code !== undefined);
}
