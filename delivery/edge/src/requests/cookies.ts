import { parseCookie, stringifySetCookie, type SetCookie } from 'cookie';

export interface EdgeCookies {
  /** Position in canary shares: see `releases/bucket.ts`. */
  bucket: number | null;
  /** The id of a preview's link. */
  preview: string | null;
}

const bucketName = 'bucket';
/**
 * Browsers accept a cookie of this name only from this exact host, and only over https (or from localhost). Those that
 * support the whole prefix (RFC 6265bis; Chromium 140) accept it only from responses, so that no remote's script can
 * switch its visitors to a preview.
 */
const previewName = '__Host-Http-preview';
const BUCKET_SECONDS = 180 * 24 * 60 * 60;

const asTheyAre = { decode: (value: string) => value };

const noCookies: EdgeCookies = { bucket: null, preview: null };

/** Never throws; invalid values are ignored. */
export function readCookies(header?: string): EdgeCookies {
  if (!header) return noCookies;
  const { [bucketName]: bucket = '', [previewName]: preview } = parseCookie(header, asTheyAre);
  return { bucket: /^\d{1,4}$/.test(bucket) ? Number(bucket) : null, preview: preview || null };
}

export function bucketCookie(bucket: number, isSecure: boolean): string {
  return cookie({
    name: bucketName,
    value: String(bucket),
    maxAge: BUCKET_SECONDS,
    sameSite: 'lax',
    secure: isSecure,
  });
}

/** Keeps a preview until its link ends. SameSite=Strict: a link on another site never opens the preview. */
export function previewCookie(linkId: string, seconds: number): string {
  return cookie({ name: previewName, value: linkId, maxAge: seconds, sameSite: 'strict', secure: true });
}

export function noPreviewCookie(): string {
  return previewCookie('', 0);
}

function cookie(own: SetCookie): string {
  return stringifySetCookie({ ...own, path: '/', httpOnly: true });
}
