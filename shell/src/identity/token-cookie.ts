/** Where the guest's token is kept between visits. */
export interface TokenCookie {
  read(): string | null;
  write(token: string): void;
  remove(): void;
}

const NAME = 'authToken';

/** As long as the gateway keeps a guest that does not return: 13 months. An expired token must survive to be renewed. */
const MAX_AGE_SECONDS = 60 * 60 * 24 * 395;

const ATTRIBUTES = 'path=/; Secure; SameSite=Lax';

/** The value of a cookie, or null. A value that is not validly encoded is returned as it stands. */
export function readCookie(cookies: string, name: string): string | null {
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=');
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    try {
      return decodeURIComponent(value);
    } catch {
      return value;
    }
  }
  return null;
}

/** The `authToken` cookie. Where the browser keeps no cookies, the token lives as long as the page. */
export function createTokenCookie(document: Pick<Document, 'cookie'>): TokenCookie {
  let unkept: string | null = null;
  const kept = () => readCookie(document.cookie, NAME) || null;
  return {
    read: () => kept() ?? unkept,
    write(token) {
      document.cookie = `${NAME}=${encodeURIComponent(token)}; ${ATTRIBUTES}; max-age=${MAX_AGE_SECONDS}`;
      unkept = kept() === token ? null : token;
    },
    remove() {
      document.cookie = `${NAME}=; ${ATTRIBUTES}; max-age=0`;
      unkept = null;
    },
  };
}
