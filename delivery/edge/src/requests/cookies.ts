import { cookieValues } from '@site/contract/cookies';
import { SECRET } from '@site/contract/secret.schema';
import { stringifySetCookie, type SetCookie } from 'cookie';

export interface EdgeCookies {
  bucket: number | null;
  preview: string | null;
  cleared: string | null;
}

/**
 * Browsers accept a cookie of these names only from this exact host, and only over https (or from localhost).
 * With support for the whole prefix (RFC 6265bis; Chromium 140), no script can set one. Scripts can evict them.
 */
const bucketName = '__Host-Http-bucket';
const previewName = '__Host-Http-preview';
const clearedName = '__Host-Http-cleared';
/** Without https, browsers reject the prefix. */
const insecureBucketName = 'bucket';

const DAY_SECONDS = 24 * 60 * 60;

export function readCookies(header: string = '', isSecure: boolean): EdgeCookies {
  const bucket = cookieValues(header, isSecure ? bucketName : insecureBucketName).find((value) =>
    /^\d{1,4}$/.test(value),
  );
  const previews = cookieValues(header, previewName);
  // An invalid value alone is an ended preview, whose cookie is removed.
  const preview = previews.find((value) => SECRET.test(value)) ?? previews[0];
  return {
    bucket: bucket === undefined ? null : Number(bucket),
    preview: preview || null,
    cleared: cookieValues(header, clearedName)[0] ?? null,
  };
}

export function bucketCookie(bucket: number, isSecure: boolean): string {
  return cookie({
    name: isSecure ? bucketName : insecureBucketName,
    value: String(bucket),
    maxAge: 180 * DAY_SECONDS,
    sameSite: 'lax',
    secure: isSecure,
  });
}

/** Remembers the removal as long as browsers permit, and ends preview and guest, whose cookie scripts can set. */
export function clearedCookies(since: string): string[] {
  return [
    cookie({ name: clearedName, value: since, maxAge: 400 * DAY_SECONDS, sameSite: 'lax', secure: true }),
    noPreviewCookie(),
    'authToken=; Max-Age=0; Path=/; Secure',
  ];
}

/** Keeps a preview until its link ends. SameSite=Strict: a link on another site never opens the preview. */
export function previewCookie(linkId: string, seconds: number): string {
  // Not `strict`: the confirmation page has an opaque origin, so the redirect from it counts as one from another site.
  return cookie({ name: previewName, value: linkId, maxAge: seconds, sameSite: 'lax', secure: true });
}

export function noPreviewCookie(): string {
  return previewCookie('', 0);
}

function cookie(own: SetCookie): string {
  return stringifySetCookie({ ...own, path: '/', httpOnly: true });
}
