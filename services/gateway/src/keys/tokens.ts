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

export function createTokenVerifier(ring: KeyRing, now: () => number): VerifyToken {
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
    return payload;
  };
}
