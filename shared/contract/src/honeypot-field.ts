/**
 * The hidden honeypot field. People leave it empty, and its name matches no autofill. Submissions with a
 * value are stored as suspected spam.
 */
export const HONEYPOT_FIELD = 'reference_note';
