import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as `SECRET` of the contract has them. */
export const createSecret = (): string => randomBytes(32).toString('base64url');

/** A new token, as `TokenSchema` of the contract has it. */
export const createToken = (secret: string = createSecret()): string => `site_${secret}`;

/**
 * The form in which a secret is stored, and in which an edge asks for the preview of a link. The secret has 256 bits of its own, so it
 * needs neither salt nor stretching.
 */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The token in an `Authorization` header. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
