/**
 * Response headers. Headers of all pages go into `pageHeaders`, of all responses into `always`. One-line responses
 * (404, 500) are not pages: see `text` in `replies.ts`.
 */
import { edgeAddresses } from '@site/contract';
import { KEPT_FOREVER, PERMISSIONS_POLICY, STRICT_TRANSPORT_SECURITY } from '@site/server/common-headers';
import { isDocument, isDownload } from '@site/server/content-type';
import { nothingAllowed, REPORTING_GROUP, sandboxed } from '@site/documents/content-security-policy';
import type { PageDocument } from '../releases/loaded-release.ts';
import type { View } from './choose-view.ts';
import type { Headers, Reply } from './reply.ts';

const always: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': STRICT_TRANSPORT_SECURITY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': PERMISSIONS_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': nothingAllowed,
};

/** Proxies that rewrite a page break its hydration. */
const UNCHANGED = 'no-transform';

const personal = { 'Cache-Control': 'private, no-store', Vary: 'Cookie' };

export function personalHeaders({ isPersonal }: View): Headers {
  return isPersonal ? personal : {};
}

export function pageHeaders(own: Headers): Headers {
  return { 'Content-Type': 'text/html; charset=utf-8', ...own };
}

/**
 * Browsers load scripts only with integrity. Stylesheets are not included yet: browsers that do not know `style`
 * (Chromium 153) log a warning on every page. @param drawn whether a variant was chosen randomly for this load. @see
 * https://w3c.github.io/webappsec-subresource-integrity/#integrity-policy-section
 */
export function documentHeaders({ csp, hasIntegrity }: PageDocument, drawn: boolean, view: View): Headers {
  return pageHeaders({
    'Content-Security-Policy': csp,
    'Reporting-Endpoints': `${REPORTING_GROUP}="${edgeAddresses.reports}"`,
    ...(hasIntegrity
      ? { 'Integrity-Policy': `blocked-destinations=(script), endpoints=(${REPORTING_GROUP})` }
      : {}),
    // Each load selects a variant, so shared caches must not store it. The visitor's browser may, so that
    // the back/forward cache works (`no-store` would disable it).
    ...(view.isPersonal
      ? { ...personal, 'Cache-Control': `${personal['Cache-Control']}, ${UNCHANGED}` }
      : { 'Cache-Control': `${drawn ? 'private, ' : ''}no-cache, ${UNCHANGED}` }),
    ...(view.clears ? { 'Clear-Site-Data': '"storage"' } : {}),
    ...cookieHeaders(view.cookies),
  });
}

export function cookieHeaders(cookies: string[]): Headers {
  return cookies.length > 0 ? { 'Set-Cookie': cookies } : {};
}

export function fileHeaders(contentType: string, cache: Headers): Headers {
  return {
    'Content-Type': contentType,
    ...cache,
    ...(isDownload(contentType) ? { 'Content-Disposition': 'attachment' } : {}),
    ...(isDocument(contentType) ? { 'Content-Security-Policy': sandboxed } : {}),
    // Other sites may embed images (link previews), and nothing else.
    ...(contentType.startsWith('image/') ? { 'Cross-Origin-Resource-Policy': 'cross-origin' } : {}),
  };
}

export const fileCaches = {
  /** Content-hashed names. */
  forever: { 'Cache-Control': KEPT_FOREVER },
  anHour: { 'Cache-Control': 'public, max-age=3600' },
  personal,
};

export const unlisted = { 'X-Robots-Tag': 'noindex, nofollow' };

/** Publicly cacheable responses must not depend on a preview; everything else in a preview is noindex. */
export function isUnlisted({ cohort, release }: View, { headers }: Reply): boolean {
  if (release?.unlisted) return true;
  return cohort === 'preview' && !String(headers['Cache-Control']).startsWith('public');
}

export function sentHeaders(reply: Reply, status: number, etag: string): Headers {
  const { body, headers, links = [], keys = [], hasRanges = false, revalidates = false } = reply;
  const isEncoded = body.br !== null || body.gzip !== null;
  return {
    ...always,
    ...headers,
    'Cache-Control': cacheControl(status, headers['Cache-Control']),
    ...varyHeader(headers['Vary'], isEncoded),
    ...(links.length > 0 ? { Link: links.join(', ') } : {}),
    ...(keys.length > 0 ? { 'Surrogate-Key': keys.join(' '), 'Cache-Tag': keys.join(',') } : {}),
    ...(hasRanges ? { 'Accept-Ranges': 'bytes' } : {}),
    ...(revalidates && isKept(status) ? { ETag: etag } : {}),
  };
}

/**
 * For shared caches (RFC 9213; Fastly reads `Surrogate-Control`), which may keep responses for a day if a registry
 * purges them. Immutable files have their own lifetime.
 */
export function sharedLifetime(status: number, headers: Headers, isPurged: boolean): Headers {
  if (headers['Surrogate-Key'] === undefined || headers['Cache-Control'] === KEPT_FOREVER) return {};
  // Of one range.
  if (status === 416) return {};
  // Errors show the request id of their first visitor.
  return isPurged && status < 400 ? dayLong : secondLong;
}

const lifetime = (value: string) => ({ 'CDN-Cache-Control': value, 'Surrogate-Control': value });
const secondLong = lifetime('max-age=1');
const dayLong = lifetime('max-age=86400, stale-while-revalidate=60, stale-if-error=86400');

/** Browsers keep only 200, 206 and 304. */
function isKept(status: number): boolean {
  return status === 200 || status === 206 || status === 304;
}

/** The status decides first; then the reply must declare it explicitly. */
export function cacheControl(status: number, declared: string | string[] | undefined): string {
  const wanted = [declared ?? []].flat().join(', ');
  if (isKept(status)) return wanted || 'no-store';
  const isRedirect = status >= 300 && status < 400;
  return isRedirect && /^(no-cache|private, no-store)$/.test(wanted) ? wanted : 'no-store';
}

function varyHeader(declared: string | string[] | undefined, isEncoded: boolean): { Vary?: string } {
  const names = [isEncoded ? 'Accept-Encoding' : null, declared ?? null].filter((name) => name !== null);
  return names.length > 0 ? { Vary: names.flat().join(', ') } : {};
}
