import { jwtDecode } from 'jwt-decode';

/** What the browser reads from a token. `exp` and `iat` in seconds; null when the token does not carry them. */
export interface TokenContents {
  guestId: string;
  exp: number | null;
  iat: number | null;
}

const unreadable: TokenContents = { guestId: '', exp: null, iat: null };

/** Ids become part of a request's path: anything that could lead the request elsewhere is not an id. */
const safeId = /^[A-Za-z0-9_-]{1,128}$/;

const seconds = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null);

/** Reads a token without checking its signature (that is the services' work). Never throws. */
export function readToken(token: string, log: Pick<Console, 'error'>): TokenContents {
  try {
    const payload: unknown = jwtDecode(token);
    if (typeof payload !== 'object' || payload === null) throw new TypeError('The payload is not an object.');
    const { user_unique_id: id, exp, iat } = payload as Record<string, unknown>;
    return {
      guestId: typeof id === 'string' && safeId.test(id) ? id : '',
      exp: seconds(exp),
      iat: seconds(iat),
    };
  } catch {
    // The reason is left out on purpose: the decoder's messages quote parts of the token.
    log.error('Error decoding token');
    return unreadable;
  }
}

/** Expired is a token whose `exp` is before now, or that has none. `now` in milliseconds. */
export function isExpired({ exp }: TokenContents, now: number): boolean {
  return exp === null || exp < now / 1000;
}
