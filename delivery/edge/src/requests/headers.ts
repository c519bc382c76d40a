/**
 * The headers that visitors get. One for all pages goes into `pageHeaders`, one for all answers into `always`. What is said in
 * one line (404, 500) is not a page: `text` in `replies.ts`.
 */
import { edgeAddresses } from '@site/contract';
import { KEPT_FOREVER, PERMISSIONS_POLICY, STRICT_TRANSPORT_SECURITY } from '@site/server/common-headers';
import { isDocument, isDownload } from '@site/server/content-type';
import { nothingAllowed, REPORTING_GROUP, sandboxed } from '../documents/content-security-policy.ts';
import type { PageDocument } from '../releases/loaded-release.ts';
import type { View } from './choose-view.ts';
import type { Headers, Reply } from './reply.ts';

/** Sent with every answer. What a reply says itself comes before it. */
const always: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': STRICT_TRANSPORT_SECURITY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': PERMISSIONS_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': nothingAllowed,
};

/** For what is one visitor's alone. */
const personal = { 'Cache-Control': 'private, no-store', Vary: 'Cookie' };

/** For answers that depend on what the visitor sees. */
export function personalHeaders({ isPersonal }: View): Headers {
  return isPersonal ? personal : {};
}

/** Of every HTML page: those of a release, and the few that the edge writes itself. */
export function pageHeaders(own: Headers): Headers {
  return { 'Content-Type': 'text/html; charset=utf-8', ...own };
}

/**
 * Of a page of a release. Browsers load no script of it without an integrity, whoever asks for it. Stylesheets are not in that
 * list yet: the standard has the word `style`, but browsers that do not know it (Chromium 153) complain in the console of
 * every page.
 *
 * @param drawn whether one of the page's variants was drawn for this load.
 * @see https://w3c.github.io/webappsec-subresource-integrity/#integrity-policy-section
 */
export function documentHeaders({ csp, hasIntegrity }: PageDocument, drawn: boolean, view: View): Headers {
  return pageHeaders({
    'Content-Security-Policy': csp,
    'Reporting-Endpoints': `${REPORTING_GROUP}="${edgeAddresses.reports}"`,
    ...(hasIntegrity
      ? { 'Integrity-Policy': `blocked-destinations=(script), endpoints=(${REPORTING_GROUP})` }
      : {}),
    // A drawn page is drawn again for each load, so nobody else may have it. The visitor may: the browser can bring it back as
    // it was left (`no-store` would forbid that).
    'Cache-Control': drawn ? 'private, no-cache' : 'no-cache',
    ...personalHeaders(view),
    ...cookieHeaders(view.cookies),
  });
}

/** @param cookies as `cookies.ts` writes them. */
export function cookieHeaders(cookies: string[]): Headers {
  return cookies.length > 0 ? { 'Set-Cookie': cookies } : {};
}

/** Of a file of a build, or at the root of the site. */
export function fileHeaders(contentType: string, cache: Headers): Headers {
  return {
    'Content-Type': contentType,
    ...cache,
    ...(isDownload(contentType) ? { 'Content-Disposition': 'attachment' } : {}),
    ...(isDocument(contentType) ? { 'Content-Security-Policy': sandboxed } : {}),
    // Other sites may show our images (link previews), and nothing else.
    ...(contentType.startsWith('image/') ? { 'Cross-Origin-Resource-Policy': 'cross-origin' } : {}),
  };
}

/** How long a file may be kept, and by whom. */
export const fileCaches = {
  /** Its name changes with its content. */
  forever: { 'Cache-Control': KEPT_FOREVER },
  anHour: { 'Cache-Control': 'public, max-age=3600' },
  personal,
};

/** For whatever is not to be found by searching. */
export const unlisted = { 'X-Robots-Tag': 'noindex, nofollow' };

/**
 * Whether a reply gets `unlisted`, because of the visitor's view. What everyone may keep says nothing of a preview; everything
 * else of one is not to be found by searching.
 */
export function isUnlisted({ cohort, release }: View, { headers }: Reply): boolean {
  if (release?.unlisted) return true;
  return cohort === 'preview' && !String(headers['Cache-Control']).startsWith('public');
}

/** All headers of a reply that is sent with this status. @param etag of the representation that is sent. */
export function sentHeaders(reply: Reply, status: number, etag: string): Headers {
  const { body, headers, links = [], hasRanges = false, revalidates = false } = reply;
  const isEncoded = body.br !== null || body.gzip !== null;
  return {
    ...always,
    ...headers,
    'Cache-Control': cacheControl(status, headers['Cache-Control']),
    ...varyOf(headers['Vary'], isEncoded),
    ...(links.length > 0 ? { Link: links.join(', ') } : {}),
    ...(hasRanges ? { 'Accept-Ranges': 'bytes' } : {}),
    ...(revalidates && isKept(status) ? { ETag: etag } : {}),
  };
}

/** Whether an answer holds what was asked for, which alone may be kept as its reply says. */
function isKept(status: number): boolean {
  return status === 200 || status === 206 || status === 304;
}

/**
 * How long an answer may be kept follows from its status first: what is not the thing itself is never kept, whatever it
 * was made from, and what does not say that it may be kept is not.
 */
export function cacheControl(status: number, declared: string | string[] | undefined): string {
  const wanted = [declared ?? []].flat().join(', ');
  if (isKept(status)) return wanted || 'no-store';
  const isRedirect = status >= 300 && status < 400;
  return isRedirect && /^(no-cache|private, no-store)$/.test(wanted) ? wanted : 'no-store';
}

function varyOf(declared: string | string[] | undefined, isEncoded: boolean): { Vary?: string } {
  const names = [isEncoded ? 'Accept-Encoding' : null, declared ?? null].filter((name) => name !== null);
  return names.length > 0 ? { Vary: names.flat().join(', ') } : {};
}
