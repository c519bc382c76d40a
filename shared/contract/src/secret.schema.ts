import * as v from 'valibot';

export const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * A token for registry, gateway or forms service: a secret with the prefix `site_`, so that secret scanners
 * find leaked ones.
 */
export const TokenSchema = v.pipe(
  v.string(),
  v.regex(/^site_[A-Za-z0-9_-]{43}$/, 'It must be "site_" and 43 base64url characters (256 random bits).'),
);
