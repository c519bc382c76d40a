import { NEWSLETTER_SOURCE } from './newsletter-source.ts';

// The newsletter is on every page, so it has separate modules.
export { HONEYPOT_FIELD } from './honeypot-field.ts';
export { NEWSLETTER_SOURCE };

/**
 * The fixed identifiers of the site's forms: the `source_id` of a subscription. Separate constants, so that a
 * page with one form does not bundle the others'.
 */
export const REFERRAL_SOURCE = '8b3e7d91-4c6f-4a25-b0d8-7e1f3a9c5d24';
export const PARTNER_APPLICATION_SOURCE = 'e45d0a7b-6f12-4c93-97e8-2b8c1d6f0a35';

/** The forms of the site. */
export const formSources = {
  newsletter: NEWSLETTER_SOURCE,
  referral: REFERRAL_SOURCE,
  'partner-application': PARTNER_APPLICATION_SOURCE,
} as const;

export type FormName = keyof typeof formSources;

/** Undefined for an unknown id. */
export function formOfSource(sourceId: string): FormName | undefined {
  return (Object.keys(formSources) as FormName[]).find((name) => formSources[name] === sourceId);
}
