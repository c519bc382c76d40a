import { parseCookie, stringifySetCookie, type SetCookie } from 'cookie';

/** The cookies that the edge itself reads. It ignores all others. */
export interface EdgeCookies {
  /** Where a canary's share puts this visitor: see `releases/bucket.ts`. Null when there is none that could be ours. */
  bucket: number | null;
  /** The id of a preview's link: see `preview-keeper.ts`. */
  preview: string | null;
}

const bucketName = 'bucket';
/**
 * Browsers take a cookie of this name from this very host alone, and over https (or from localhost) alone. Those that know the whole
 * prefix (RFC 6265bis; Chromium 140) take it from an answer alone: a script, which may be that of any remote, cannot lead its
 * visitors into a preview.
 */
const previewName = '__Host-Http-preview';
const BUCKET_SECONDS = 180 * 24 * 60 * 60;

/** What the edge sets holds nothing that would be written otherwise in a cookie. */
const asTheyAre = { decode: (value: string) => value };

const noCookies: EdgeCookies = { bucket: null, preview: null };

/** Reads the `Cookie` header of a request. Never throws: what is not ours is not there. */
export function readCookies(header?: string): EdgeCookies {
  if (!header) return noCookies;
  const { [bucketName]: bucket = '', [previewName]: preview } = parseCookie(header, asTheyAre);
  return { bucket: /^\d{1,4}$/.test(bucket) ? Number(bucket) : null, preview: preview || null };
}

/** Remembers a bucket. */
export function bucketCookie(bucket: number, isSecure: boolean): string {
  return cookie({
    name: bucketName,
    value: String(bucket),
    maxAge: BUCKET_SECONDS,
    sameSite: 'lax',
    secure: isSecure,
  });
}

/** Remembers a preview until its link is over. A link on another site never leads into it, only one's own steps do. */
export function previewCookie(linkId: string, seconds: number): string {
  return cookie({ name: previewName, value: linkId, maxAge: seconds, sameSite: 'strict', secure: true });
}

/** Forgets a preview. */
export function noPreviewCookie(): string {
  return previewCookie('', 0);
}

function cookie(own: SetCookie): string {
  return stringifySetCookie({ ...own, path: '/', httpOnly: true });
}
