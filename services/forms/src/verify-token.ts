import { TOKEN_AUDIENCE, TOKEN_ISSUER } from '@site/contract';
import type { VerifyToken } from '@site/server/guest-access';
import { createRemoteJWKSet, jwtVerify, type JWTVerifyGetKey } from 'jose';

/** How far the clocks of the gateway and this service may differ. */
const CLOCK_SKEW_SECONDS = 5;

/** The gateway's keys, fetched when a token needs one that is not known yet, at most once a second. */
export function fetchedKeys(jwksUrl: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUrl), { cooldownDuration: 1_000, timeoutDuration: 5_000 });
}

/** Verifies the gateway's tokens. */
export function createTokenVerifier(keys: JWTVerifyGetKey, now: () => number): VerifyToken {
  return async (token, graceSeconds) => {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ['EdDSA'],
      issuer: TOKEN_ISSUER,
      audience: TOKEN_AUDIENCE,
      requiredClaims: ['exp', 'user_unique_id'],
      clockTolerance: graceSeconds + CLOCK_SKEW_SECONDS,
      currentDate: new Date(now()),
    });
    return payload;
  };
}
