import { randomBytes } from 'node:crypto';

/** A new admin token, as operators make one. */
export const newAdminToken = (): string => `site_${randomBytes(32).toString('base64url')}`;
