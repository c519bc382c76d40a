const encode = (value: unknown) => btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_');

/** A token with this payload. Its signature is a dummy, because browsers do not check it. */
export function tokenWith(payload: unknown): string {
  return `${encode({ alg: 'EdDSA' })}.${encode(payload)}.c2lnbmF0dXJl`.replaceAll('=', '');
}

/** A guest's token. Times in seconds. */
export function tokenFor(guestId: string, exp?: number, iat?: number): string {
  return tokenWith({ user_unique_id: guestId, exp, iat });
}
