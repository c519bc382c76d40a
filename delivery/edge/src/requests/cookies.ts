import { cookieValues } from '@site/contract/cookies';
import { SECRET } from '@site/contract/secret.schema';
import { stringifySetCookie, type SetCookie } from 'cookie';

export interface EdgeCookies {
  /** Position in canary shares: see `releases/bucket.ts`. */
  bucket: number | null;
  /** The id of a preview's link. */
  preview: string | null;
}

/** Without https, browsers reject the prefix. Visitors from before the prefix keep their bucket. */
const bucketNames = ['__Host-bucket', 'bucket'] as const;
/**
 * Browsers accept a cookie of this name only from this exact host, and only over https (or from localhost). Those that
 * support the whole prefix (RFC 6265bis; Chromium 140) accept it only from responses, so that no remote's script can
 * switch its visitors to a preview.
 */
const previewName = '__Host-Http-preview';
const BUCKET_SECONDS = 180 * 24 * 60 * 60;

const noCookies: EdgeCookies = { bucket: null, preview: null };

/** Never throws; invalid values are ignored. */
export function readCookies(header?: string): EdgeCookies {
  if (!header) return noCookies;
  const bucket = bucketNames
    .flatMap((name) => cookieValues(header, name))
    .find((value) => /^\d{1,4}$/.test(value));
  const previews = cookieValues(header, previewName);
  // An invalid value alone is an ended preview, whose cookie is removed.
  const preview = previews.find((value) => SECRET.test(value)) ?? previews[0];
  return { bucket: bucket === undefined ? null : Number(bucket), preview: preview || null };
}

export function bucketCookie(bucket: number, isSecure: boolean): string {
  return cookie({
    name: bucketNames[isSecure ? 0 : 1],
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
