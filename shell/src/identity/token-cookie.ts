import { cookieValues } from '@site/contract/cookies';
import { readToken } from './token.ts';

export interface TokenCookie {
  read(): string | null;
  write(token: string): void;
  remove(): void;
}

const NAME = 'authToken';

/** 13 months, as long as the gateway keeps an inactive guest. An expired token must survive for its renewal. */
const MAX_AGE_SECONDS = 60 * 60 * 24 * 395;

const ATTRIBUTES = 'path=/; Secure; SameSite=Lax';

export function readCookie(cookies: string, name: string): string | null {
  return decodedValues(cookies, name)[0] ?? null;
}

function decodedValues(cookies: string, name: string): string[] {
  return cookieValues(cookies, name).map((value) => {
    try {
      return decodeURIComponent(value);
    } catch {
      return value;
    }
  });
}

const quiet = { error: () => undefined };
const isReadable = (token: string) => readToken(token, quiet).guestId !== '';

/** Cookies of a longer path come first, and a script may have planted one. */
function removeOfPaths(document: Pick<Document, 'cookie'>): void {
  let path = location.pathname.replace(/\/$/, '');
  for (; path !== ''; path = path.slice(0, path.lastIndexOf('/')))
    for (const each of [path, `${path}/`]) document.cookie = `${NAME}=; path=${each}; Secure; max-age=0`;
}

export function createTokenCookie(document: Pick<Document, 'cookie'>): TokenCookie {
  let unkept: string | null = null;
  const kept = () => {
    const values = decodedValues(document.cookie, NAME);
    // Other programs on this host or a parent domain may use the name.
    return (values.find(isReadable) ?? values[0]) || null;
  };
  return {
    read: () => kept() ?? unkept,
    write(token) {
      document.cookie = `${NAME}=${encodeURIComponent(token)}; ${ATTRIBUTES}; max-age=${MAX_AGE_SECONDS}`;
      const found = kept();
      if (found !== null && found !== token) removeOfPaths(document);
      unkept = kept() === token ? null : token;
    },
    remove() {
      document.cookie = `${NAME}=; ${ATTRIBUTES}; max-age=0`;
      unkept = null;
    },
  };
}
