import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as 43 base64url characters: what only its owner knows. */
export const createSecret = (): string => randomBytes(32).toString('base64url');

/** The form in which a secret is stored. It has 256 bits of its own, so it needs neither salt nor stretching. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
