import { jwtDecode } from 'jwt-decode';

export interface TokenContents {
  guestId: string;
  exp: number | null;
  iat: number | null;
}

const unreadable: TokenContents = { guestId: '', exp: null, iat: null };

/** IDs are path segments of requests: characters that could change the path are invalid. */
const safeId = /^[A-Za-z0-9_-]{1,128}$/;

const seconds = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null);

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
    // Omit the reason: the decoder's messages quote parts of the token.
    log.error('Error decoding token');
    return unreadable;
  }
}

export function isExpired({ exp }: TokenContents, now: number): boolean {
  return exp === null || exp < now / 1000;
}
