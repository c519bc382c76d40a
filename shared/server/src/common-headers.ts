/**
 * `Strict-Transport-Security` of every answer: browsers that came by TLS come back by TLS only, for a year. They ignore it where
 * they came without (RFC 6797, section 8.1), so a proxy in front that ends TLS need not add it.
 */
export const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';
