import type { Guest } from '@site/contract';
import type { UserIdentity } from './user-identity.ts';

function define<Payload extends object = object>() {
  return <Type extends string>(type: Type) => {
    const create = (...[payload]: object extends Payload ? [] : [Payload]) =>
      ({ ...payload, type }) as { readonly type: Type } & Readonly<Payload>;
    return Object.assign(create, { type });
  };
}

export interface AccessToken {
  appId: string;
  authToken: string;
}

interface TokenPayload {
  accessToken: AccessToken;
  /** From the token. Empty if decoding fails. */
  guestId: string;
}

interface FailurePayload {
  status: number;
}

export const sessionRequested = define()('[Shell] Session Requested');
export const guestNeeded = define()('[Token Cookie] Guest Needed');
export const tokenReused = define<TokenPayload>()('[Token Cookie] Token Reused');
export const tokenExpired = define<TokenPayload>()('[Token Cookie] Token Expired');
export const tokenExpiring = define<{ guestId: string }>()('[Clock] Token Expiring');
/** `authToken`: the rejected token. A slow response may arrive after its replacement. */
export const tokenRejected = define<{ guestId: string; authToken: string }>()('[Services] Token Rejected');
export const tokenAdopted = define<TokenPayload>()('[Other Tab] Token Adopted');
export const tokenRefreshed = define<TokenPayload & { guest: Guest | null }>()('[Gateway] Token Refreshed');
export const tokenMissing = define()('[Gateway] Token Missing');
export const tokenRenewalFailed = define<FailurePayload>()('[Gateway] Token Renewal Failed');
export const guestCreationFailed = define<FailurePayload>()('[Gateway] Guest Creation Failed');

// The token's guest.
export const guestRequested = define<{ guestId: string }>()('[Session] Guest Requested');
export const guestLoaded = define<{ guest: Guest }>()('[Gateway] Guest Loaded');
export const loadGuestFailed = define<FailurePayload & { guestId: string }>()('[Gateway] Load Guest Failed');
export const guestUnknown = define<{ guestId: string }>()('[Gateway] Guest Unknown');

export const registrationRequested = define<{ guestId: string }>()('[Guest] Registration Requested');
export const identityLoaded = define<{ userIdentity: UserIdentity }>()('[Forms] Identity Loaded');
export const registrationFailed = define<FailurePayload & { guestId: string }>()(
  '[Forms] Registration Failed',
);

export const subscriptionAttempted = define()('[Forms] Subscription Attempted');

export type IdentityAction = ReturnType<
  | typeof sessionRequested
  | typeof guestNeeded
  | typeof tokenReused
  | typeof tokenExpired
  | typeof tokenExpiring
  | typeof tokenRejected
  | typeof tokenAdopted
  | typeof tokenRefreshed
  | typeof tokenMissing
  | typeof tokenRenewalFailed
  | typeof guestCreationFailed
  | typeof guestRequested
  | typeof guestLoaded
  | typeof loadGuestFailed
  | typeof guestUnknown
  | typeof registrationRequested
  | typeof identityLoaded
  | typeof registrationFailed
  | typeof subscriptionAttempted
>;
