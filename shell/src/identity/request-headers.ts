import type { AccessToken } from './actions.ts';
import { readCookie } from './token-cookie.ts';

export interface ServiceConfig {
  base: string;
  appId: string;
}

export interface RequestRules {
  services: readonly ServiceConfig[];
  accessToken: AccessToken;
  pageUrl: string;
  /** The page's cookies (`document.cookie`). */
  cookies: string;
}

/**
 * Whether `url` is under `base`: same scheme, host and port, and a path prefix of whole segments. A string comparison
 * would send the token to `https://api.example.com.evil.example/` and to `/gateway-admin`.
 */
function isUnder(url: URL, base: string): boolean {
  if (!URL.canParse(base)) return false;
  const root = new URL(base);
  const folder = root.pathname.endsWith('/') ? root.pathname : `${root.pathname}/`;
  return url.origin === root.origin && `${url.pathname}/`.startsWith(folder);
}

/** A relative URL has no scheme or host. `//host/…` and `https:…` have. */
const isRelative = (url: string) => !URL.canParse(url) && !/^[\\/]{2}/.test(url.trim());

/**
 * The headers of the request rules, defined only here: the guest's token and the app ID for the services' URLs only,
 * and the copied cross-site token cookie for non-GET relative requests.
 */
export function requestHeaders(url: string, method: string, rules: RequestRules): Record<string, string> {
  const headers: Record<string, string> = {};
  const target = new URL(url, rules.pageUrl);
  const service = rules.services
    .filter(({ base }) => isUnder(target, base))
    // If one base contains another, the inner one applies.
    .sort((a, b) => b.base.length - a.base.length)[0];
  if (service) {
    const { appId, authToken } = rules.accessToken;
    headers['appid'] = authToken ? appId : service.appId;
    if (authToken) headers['Authorization'] = `Bearer ${authToken}`;
  }
  if (method !== 'GET' && isRelative(url) && target.origin === new URL(rules.pageUrl).origin) {
    const crossSiteToken = readCookie(rules.cookies, 'XSRF-TOKEN');
    if (crossSiteToken) headers['X-XSRF-TOKEN'] = crossSiteToken;
  }
  return headers;
}
