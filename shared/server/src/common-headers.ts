/**
 * `Strict-Transport-Security` of every response: TLS only for a year. Browsers ignore it without TLS (RFC
 * 6797, section 8.1), so TLS-terminating proxies need not add it.
 */
export const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

/** `Permissions-Policy` of every page: our pages and their frames use none of these. */
export const PERMISSIONS_POLICY =
  'accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()';

/** `Cache-Control` for content-addressed files. */
export const KEPT_FOREVER = 'public, max-age=31536000, immutable';
