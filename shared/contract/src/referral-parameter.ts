/**
 * The query parameter of an invitation's link, and of the resulting sign-up, with the id of the referral's
 * submission (a UUID).
 */
export const REFERRAL_PARAMETER = 'referral';
