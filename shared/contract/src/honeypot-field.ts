/**
 * The hidden honeypot field of the forms. People leave it empty; its name means nothing to the
 * autofill of browsers. What arrives with it filled in is kept as suspected spam.
 */
export const HONEYPOT_FIELD = 'reference_note';
