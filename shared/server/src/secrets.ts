import { createHash, randomBytes } from 'node:crypto';

export const createSecret = (): string => randomBytes(32).toString('base64url');

export const createToken = (secret: string = createSecret()): string => `site_${secret}`;

/**
 * The hash for storing secrets and for requesting a preview. A secret has 256 bits, so it needs neither salt
 * nor stretching.
 */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const parseBearer = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
