import { TOKEN_AUDIENCE, TOKEN_ISSUER, type TokenPayload } from '@site/contract';
import type { VerifyToken } from '@site/server/guest-access';
import { errors, jwtVerify, SignJWT } from 'jose';
import { ALGORITHM, type KeyRing } from './key-ring.ts';

/** Times are in seconds. */
export async function signToken(
  ring: KeyRing,
  guest: string,
  { issuedAt, lifetime }: { issuedAt: number; lifetime: number },
): Promise<{ token: string; expiresAt: number }> {
  const { kid, key } = await ring.signer();
  const expiresAt = issuedAt + lifetime;
  const payload: Omit<TokenPayload, 'exp'> = { user_unique_id: guest };
  const token = await new SignJWT(payload)
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
    .setIssuer(TOKEN_ISSUER)
    .setAudience(TOKEN_AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(key);
  return { token, expiresAt };
}

/** @param since in seconds: a renewed token has another time, so ending a planted one ends what it was renewed to. */
export function createTokenVerifier(ring: KeyRing, now: () => number, since = 0): VerifyToken {
  return async (token, graceSeconds) => {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await ring.verifier(kid);
        if (!key) throw new errors.JWKSNoMatchingKey();
        return key;
      },
      {
        algorithms: [ALGORITHM],
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        requiredClaims: ['exp', 'user_unique_id'],
        clockTolerance: graceSeconds,
        currentDate: new Date(now()),
      },
    );
    if ((payload.iat ?? 0) < since)
      throw new errors.JWTClaimValidationFailed('The token was ended.', payload, 'iat', 'check_failed');
    return payload;
  };
}
