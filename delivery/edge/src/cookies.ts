/** The cookies that the edge itself reads. Everything else a visitor sends is none of its business. */
export interface EdgeCookies {
  /** Where a canary's share puts this visitor: see `canary.ts`. Null when there is none that could be ours. */
  bucket: number | null;
  /** The id of a preview's link: see `preview-keeper.ts`. */
  preview: string | null;
}

/** Browsers take a cookie of this name from this very host alone, and over https (or from localhost) alone. */
const previewName = '__Host-preview';

const none: EdgeCookies = { bucket: null, preview: null };

/** Reads the `Cookie` header of a request. Never throws: what is not ours is not there. */
export function readCookies(header: string | undefined): EdgeCookies {
  if (!header) return none;
  const found: EdgeCookies = { ...none };
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    const value = pair.slice(at + 1).trim();
    if (name === 'bucket' && /^\d{1,4}$/.test(value)) found.bucket ??= Number(value);
    if (name === previewName && value !== '') found.preview ??= value;
  }
  return found;
}

const bucketDays = 180;

/** Remembers a bucket. */
export function bucketCookie(bucket: number, isSecure: boolean): string {
  return cookie('bucket', String(bucket), bucketDays * 24 * 60 * 60, 'Lax', isSecure);
}

/** Remembers a preview until its link is over. A link on another site never leads into it, only one's own steps do. */
export function previewCookie(linkId: string, seconds: number): string {
  return cookie(previewName, linkId, seconds, 'Strict', true);
}

/** Forgets a preview. */
export function noPreviewCookie(): string {
  return cookie(previewName, '', 0, 'Strict', true);
}

function cookie(
  name: string,
  value: string,
  maxAge: number,
  sameSite: 'Lax' | 'Strict',
  isSecure: boolean,
): string {
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=${sameSite}${secure}`;
}
