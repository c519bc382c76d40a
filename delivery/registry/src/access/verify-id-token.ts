import { createHash } from 'node:crypto';
import { plainLine } from '@site/contract';
import { visibleLine } from '@site/contract/text';
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';
import type { IdToken } from './trust.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { IssuerKeys } from './issuer-keys.ts';

/** Asymmetric algorithms only, so that verification keys cannot sign. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const SKEW_SECONDS = 30;
/** Maximum age, regardless of the token's own expiry. */
const OLDEST_SECONDS = 24 * 60 * 60;
const LONGEST_NAME = 300;

/** Unverified claims. */
export interface Claimed {
  issuer: string;
  subject: string | null;
}

/** @throws ApiError `id_token_invalid`. */
export function readClaimed(token: string): Claimed {
  let claims: JWTPayload;
  try {
    claims = decodeJwt(token);
  } catch {
    throw invalid('It is not a signed JWT.');
  }
  const { iss, sub } = claims;
  if (typeof iss !== 'string') throw invalid('It does not say who issued it ("iss").');
  return {
    issuer: visibleLine(iss.slice(0, LONGEST_NAME)),
    subject: typeof sub === 'string' ? visibleLine(sub.slice(0, LONGEST_NAME)) : null,
  };
}

/**
 * Verifies everything but whether a trust matches.
 * @throws ApiError `id_token_invalid`, `issuer_unavailable`. No message and no log contains the token.
 */
export async function verifyIdToken(
  token: string,
  { issuer }: Claimed,
  { issuerKeys, at }: { issuerKeys: IssuerKeys; at: Date },
): Promise<IdToken> {
  const payload = await verify(token, issuer, issuerKeys, at);
  const { aud, exp = 0, iat = 0 } = payload;
  const sub: unknown = payload.sub;
  if (typeof sub !== 'string' || sub === '' || sub.length > LONGEST_NAME || !plainLine.test(sub)) {
    throw invalid(`Its subject ("sub") is not one line of at most ${LONGEST_NAME} characters.`);
  }
  const [audience, ...more]: unknown[] = [aud].flat();
  // A token for several audiences may be known to all of them.
  if (typeof audience !== 'string' || more.length > 0) throw invalid('It must have one audience ("aud").');
  return {
    issuer,
    subject: sub,
    audience: visibleLine(audience.slice(0, LONGEST_NAME)),
    claims: payload,
    // Hash the signed part: some signatures have several encodings.
    digest: createHash('sha256')
      .update(token.slice(0, token.lastIndexOf('.')))
      .digest('hex'),
    expiresAt: new Date((Math.min(exp, iat + OLDEST_SECONDS) + 2 * SKEW_SECONDS) * 1000),
  };
}

async function verify(token: string, issuer: string, issuerKeys: IssuerKeys, at: Date): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, issuerKeys(issuer), {
      issuer,
      algorithms: ALGORITHMS,
      currentDate: at,
      clockTolerance: SKEW_SECONDS,
      maxTokenAge: OLDEST_SECONDS,
      requiredClaims: ['sub', 'aud', 'exp', 'iat'],
    });
    return payload;
  } catch (error) {
    // jose's errors contain claims, so they are neither passed on nor logged.
    if (error instanceof errors.JOSEError) throw invalid(joseReason(error));
    throw error;
  }
}

function joseReason(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) {
    const { claim } = error;
    return claim === 'exp' || (claim === 'iat' && error instanceof errors.JWTExpired)
      ? 'It has expired: an id token lasts some minutes, and a day at most.'
      : `Its "${visibleLine(claim)}" is missing, not right, or in the future.`;
  }
  if (error instanceof errors.JOSEAlgNotAllowed || error instanceof errors.JOSENotSupported) {
    return `It is not signed as it must be: ${ALGORITHMS.join(', ')} are allowed.`;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'Its signature is wrong.';
  if (error instanceof errors.JWKSNoMatchingKey) return 'Its issuer has no such key.';
  if (error instanceof errors.JWKSMultipleMatchingKeys) {
    return 'It does not say which of the keys of its issuer signed it ("kid").';
  }
  return 'It is not a signed JWT.';
}

function invalid(why: string) {
  return registryErrors.id_token_invalid(`The id token is not valid. ${why}`);
}
