/**
 * `Strict-Transport-Security` of every answer: browsers that came by TLS come back by TLS only, for a year. They ignore it where
 * they came without (RFC 6797, section 8.1), so a proxy in front that ends TLS need not add it.
 */
export const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

/** `Permissions-Policy` of every answer that a browser may show: no page of ours uses any of this, nor may a frame in it. */
export const PERMISSIONS_POLICY =
  'accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()';

/** `Cache-Control` of what has another name when it changes. */
export const KEPT_FOREVER = 'public, max-age=31536000, immutable';
