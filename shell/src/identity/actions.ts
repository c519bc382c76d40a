import type { Guest } from '@site/contract';
import type { UserIdentity } from './user-identity.ts';

/** Actions are named after where they come from, in brackets, and what happened there. */
function define<Payload extends object = object>() {
  return <Type extends string>(type: Type) => {
    const create = (...[payload]: object extends Payload ? [] : [Payload]) =>
      ({ ...payload, type }) as { readonly type: Type } & Readonly<Payload>;
    return Object.assign(create, { type });
  };
}

/** What the services are called with: which app asks, and for which guest. */
export interface AccessToken {
  appId: string;
  authToken: string;
}

interface TokenPayload {
  accessToken: AccessToken;
  /** Read from the token; empty when the token cannot be decoded. */
  guestId: string;
}

interface FailurePayload {
  /** The HTTP status; 0 when there was no answer. */
  status: number;
}

// The session: whose token the visitor carries.
export const sessionRequested = define()('[Shell] Session Requested');
export const guestNeeded = define()('[Token Cookie] Guest Needed');
export const tokenReused = define<TokenPayload>()('[Token Cookie] Token Reused');
export const tokenExpired = define<TokenPayload>()('[Token Cookie] Token Expired');
export const tokenExpiring = define<{ guestId: string }>()('[Clock] Token Expiring');
/** `authToken`: the refused one. By the time of a slow answer there may be another. */
export const tokenRejected = define<{ guestId: string; authToken: string }>()('[Services] Token Rejected');
export const tokenAdopted = define<TokenPayload>()('[Other Tab] Token Adopted');
export const tokenRefreshed = define<TokenPayload & { guest: Guest | null }>()('[Gateway] Token Refreshed');
export const tokenMissing = define()('[Gateway] Token Missing');
export const tokenRenewalFailed = define<FailurePayload>()('[Gateway] Token Renewal Failed');
export const guestCreationFailed = define<FailurePayload>()('[Gateway] Guest Creation Failed');

// The guest behind the token.
export const guestRequested = define<{ guestId: string }>()('[Session] Guest Requested');
export const guestLoaded = define<{ guest: Guest }>()('[Gateway] Guest Loaded');
export const loadGuestFailed = define<FailurePayload & { guestId: string }>()('[Gateway] Load Guest Failed');
export const guestUnknown = define<{ guestId: string }>()('[Gateway] Guest Unknown');

// The guest as a user identity of the forms service.
export const registrationRequested = define<{ guestId: string }>()('[Guest] Registration Requested');
export const identityLoaded = define<{ userIdentity: UserIdentity }>()('[Forms] Identity Loaded');
export const registrationFailed = define<FailurePayload & { guestId: string }>()(
  '[Forms] Registration Failed',
);

// Newsletter subscriptions that are kept until they arrive.
export const subscriptionSent = define()('[Forms] Subscription Sent');
export const subscriptionFailed = define()('[Forms] Subscription Failed');

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
  | typeof subscriptionSent
  | typeof subscriptionFailed
>;
