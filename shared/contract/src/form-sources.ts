/** The forms of the site and their fixed identifiers: the `source_id` of a subscription. No other is accepted. */
export const formSources = {
  newsletter: '1f6a2c58-93d4-4e0b-8a71-5c2e9b7d4f10',
  referral: '8b3e7d91-4c6f-4a25-b0d8-7e1f3a9c5d24',
  'partner-application': 'e45d0a7b-6f12-4c93-97e8-2b8c1d6f0a35',
} as const;

export type FormName = keyof typeof formSources;

/** The form of a source id, or undefined for an id that is not known. */
export function formOfSource(sourceId: string): FormName | undefined {
  return (Object.keys(formSources) as FormName[]).find((name) => formSources[name] === sourceId);
}

/**
 * The hidden honeypot field of the forms. People leave it empty; its name means nothing to the
 * autofill of browsers. What arrives with it filled in is kept as suspected spam.
 */
export const HONEYPOT_FIELD = 'reference_note';
