/**
 * The query parameter of the link in an invitation, and of the sign-up that it leads to: which referral it came from. Its value is the id of
 * the referral's submission, a UUID.
 */
export const REFERRAL_PARAMETER = 'referral';
