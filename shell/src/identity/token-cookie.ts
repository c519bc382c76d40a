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

/** A script may have planted a guest's token for a longer path, which comes first, or for a domain. */
function removePlanted(document: Pick<Document, 'cookie'>): void {
  const labels = location.hostname.split('.');
  const domains = labels.map((_, at) => `; domain=${labels.slice(at).join('.')}`);
  const remove = (path: string, domain: string) => {
    document.cookie = `${NAME}=; path=${path}${domain}; Secure; max-age=0`;
  };
  for (const domain of domains) remove('/', domain);
  let path = location.pathname.replace(/\/$/, '');
  for (; path !== ''; path = path.slice(0, path.lastIndexOf('/')))
    for (const domain of ['', ...domains]) for (const each of [path, `${path}/`]) remove(each, domain);
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
      const text = `${NAME}=${encodeURIComponent(token)}; ${ATTRIBUTES}; max-age=${MAX_AGE_SECONDS}`;
      document.cookie = text;
      const found = kept();
      if (found !== null && found !== token) {
        removePlanted(document);
        // Some browsers do not tell this host's cookie from one for its domain.
        document.cookie = text;
      }
      unkept = kept() === token ? null : token;
    },
    remove() {
      document.cookie = `${NAME}=; ${ATTRIBUTES}; max-age=0`;
      unkept = null;
    },
  };
}
