import type { AccessToken } from './actions.ts';
import { readCookie } from './token-cookie.ts';

/** A service that the site calls: where it stands, and the fixed app id it is called with. Base `''`: not configured. */
export interface ServiceConfig {
  base: string;
  appId: string;
}

export interface RequestRules {
  services: readonly ServiceConfig[];
  /** The token and app id in the store; both empty while there is none. */
  accessToken: AccessToken;
  /** The page's address, which relative requests are relative to. */
  pageUrl: string;
  /** The page's cookies, as `document.cookie` gives them. */
  cookies: string;
}

/**
 * Whether `url` really lies under `base`: same scheme, host and port, and the path below the base's by whole segments.
 * Comparing texts would give the token to `https://api.example.com.evil.example/` and to `/gateway-admin`.
 */
function isUnder(url: URL, base: string): boolean {
  if (!URL.canParse(base)) return false;
  const root = new URL(base);
  const folder = root.pathname.endsWith('/') ? root.pathname : `${root.pathname}/`;
  return url.origin === root.origin && `${url.pathname}/`.startsWith(folder);
}

/** Relative is what names no scheme or host of its own; `//host/…` and `https:…` do. */
const isRelative = (url: string) => !URL.canParse(url) && !/^[\\/]{2}/.test(url.trim());

/**
 * The headers that the request rules add, the only place that knows them: the guest's token and the app id for the
 * services' URLs and no other, and for non-GET relative requests the cross-site token cookie, copied.
 */
export function requestHeaders(url: string, method: string, rules: RequestRules): Record<string, string> {
  const headers: Record<string, string> = {};
  const target = new URL(url, rules.pageUrl);
  const service = rules.services
    .filter(({ base }) => isUnder(target, base))
    // Where one base lies inside the other, the inner one is meant.
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
