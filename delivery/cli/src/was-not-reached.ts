const NOT_REACHED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether a request that failed did not get there: nothing was done, and asking again at once is of no use. */
export function wasNotReached(error: unknown): boolean {
  const codes = codesOf(error);
  // Without a code it is fetch itself that refused, a port that it blocks, for example.
  return codes.length === 0 || codes.some((code) => NOT_REACHED.has(code));
}

/** Whether fetch gave up on an answer that did not begin for five minutes: the other side may still be at work. */
export function tookTooLong(error: unknown): boolean {
  return codesOf(error).includes('UND_ERR_HEADERS_TIMEOUT');
}

function codesOf(error: unknown): string[] {
  const { cause } = error as { cause?: { code?: string; errors?: { code?: string }[] } };
  return [cause?.code, ...(cause?.errors ?? []).map(({ code }) => code)].filter((code) => code !== undefined);
}
