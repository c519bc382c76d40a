import * as v from 'valibot';

/** 256 random bits in base64url: what only its owner knows. */
export const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** Who may do what at registry, gateway and forms service: a secret behind `site_`, by which scanners find one that leaked. */
export const TokenSchema = v.pipe(
  v.string(),
  v.regex(/^site_[A-Za-z0-9_-]{43}$/, 'It must be "site_" and 43 base64url characters (256 random bits).'),
);
