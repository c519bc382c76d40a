import { TOKEN_AUDIENCE, TOKEN_ISSUER } from '@site/contract';
import type { VerifyToken } from '@site/server/guest-access';
import { createRemoteJWKSet, jwtVerify, type JWTVerifyGetKey } from 'jose';

const CLOCK_SKEW_SECONDS = 5;

/** Fetches the gateway's keys when a token has an unknown one, at most once a second. */
export function fetchedKeys(jwksUrl: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUrl), { cooldownDuration: 1_000, timeoutDuration: 5_000 });
}

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
