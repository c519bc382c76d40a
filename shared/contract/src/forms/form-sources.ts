/**
 * The fixed identifiers of the site's forms: the `source_id` of a submission. Separate constants, so that a
 * page with one form does not bundle the others'.
 */
export const NEWSLETTER_SOURCE = '1f6a2c58-93d4-4e0b-8a71-5c2e9b7d4f10';
export const REFERRAL_SOURCE = '8b3e7d91-4c6f-4a25-b0d8-7e1f3a9c5d24';
export const PARTNER_APPLICATION_SOURCE = 'e45d0a7b-6f12-4c93-97e8-2b8c1d6f0a35';

export const formSources = {
  newsletter: NEWSLETTER_SOURCE,
  referral: REFERRAL_SOURCE,
  'partner-application': PARTNER_APPLICATION_SOURCE,
} as const;

export type FormName = keyof typeof formSources;

export function formOfSource(sourceId: string): FormName | undefined {
  return (Object.keys(formSources) as FormName[]).find((name) => formSources[name] === sourceId);
}

/**
 * The hidden honeypot field. People leave it empty, and its name matches no autofill. Submissions with a
 * value are stored as suspected spam.
 */
export const HONEYPOT_FIELD = 'reference_note';

/**
 * The query parameter of an invitation's link, and of the resulting sign-up, with the id of the referral's
 * submission (a UUID).
 */
export const REFERRAL_PARAMETER = 'referral';
