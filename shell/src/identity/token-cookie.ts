/** Stores the guest's token between visits. */
export interface TokenCookie {
  read(): string | null;
  write(token: string): void;
  remove(): void;
}

const NAME = 'authToken';

/** 13 months, as long as the gateway keeps an inactive guest. An expired token must survive for its renewal. */
const MAX_AGE_SECONDS = 60 * 60 * 24 * 395;

const ATTRIBUTES = 'path=/; Secure; SameSite=Lax';

/** The value of a cookie, or null. An invalid encoding is returned unchanged. */
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

/** The `authToken` cookie. Without cookies, the token lasts as long as the page. */
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
