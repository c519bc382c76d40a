import { NEWSLETTER_SOURCE } from './newsletter-source.ts';

// What the newsletter needs, which is on every page, has modules of its own.
export { HONEYPOT_FIELD } from './honeypot-field.ts';
export { NEWSLETTER_SOURCE };

/**
 * The fixed identifiers of the site's forms: the `source_id` of a subscription. One by one, so that a page with one form carries
 * none of the others'.
 */
export const REFERRAL_SOURCE = '8b3e7d91-4c6f-4a25-b0d8-7e1f3a9c5d24';
export const PARTNER_APPLICATION_SOURCE = 'e45d0a7b-6f12-4c93-97e8-2b8c1d6f0a35';

/** The forms of the site. No other identifier is accepted. */
export const formSources = {
  newsletter: NEWSLETTER_SOURCE,
  referral: REFERRAL_SOURCE,
  'partner-application': PARTNER_APPLICATION_SOURCE,
} as const;

export type FormName = keyof typeof formSources;

/** The form of a source id, or undefined for an id that is not known. */
export function formOfSource(sourceId: string): FormName | undefined {
  return (Object.keys(formSources) as FormName[]).find((name) => formSources[name] === sourceId);
}
