import { countryCodes, howHeardOptions, MAX_TO_EMAILS, partnerServices } from '@site/contract';
import type { FormName } from '@site/contract';

/** A field of a form as a page without the site's code shows it: with the names and words of the site's own form. */
export interface FieldLayout {
  name: string;
  label: string;
  kind: 'email' | 'tel' | 'text' | 'lines' | 'choice' | 'radio' | 'checkboxes';
  hint?: string;
  optional?: true;
  autocomplete?: string;
  maxLength?: number;
  /** Value → label. */
  options?: Readonly<Record<string, string>>;
}

/** The fields of each form, in the order of the site, and what its button says. */
export const formLayouts: Record<FormName, { button: string; fields: readonly FieldLayout[] }> = {
  newsletter: {
    button: 'Subscribe',
    fields: [{ name: 'email', label: 'Email', kind: 'email', autocomplete: 'email', maxLength: 254 }],
  },
  referral: {
    button: 'Send referral',
    fields: [
      {
        name: 'email',
        label: 'From: your email',
        kind: 'email',
        autocomplete: 'email',
        maxLength: 254,
      },
      {
        name: 'to_emails',
        label: 'To: their emails',
        kind: 'lines',
        hint: `Up to ${MAX_TO_EMAILS} addresses, separated by commas. Each gets one mail, once you have confirmed yours.`,
      },
      {
        name: 'message',
        label: 'Message',
        kind: 'lines',
        hint: 'Without web addresses.',
        optional: true,
        maxLength: 2000,
      },
    ],
  },
  'partner-application': {
    button: 'Send application',
    fields: [
      { name: 'first_name', label: 'First name', kind: 'text', autocomplete: 'given-name', maxLength: 100 },
      { name: 'last_name', label: 'Last name', kind: 'text', autocomplete: 'family-name', maxLength: 100 },
      { name: 'email', label: 'Email', kind: 'email', autocomplete: 'email', maxLength: 254 },
      { name: 'phone', label: 'Phone', kind: 'tel', autocomplete: 'tel', maxLength: 40 },
      {
        name: 'business_name',
        label: 'Business name',
        kind: 'text',
        autocomplete: 'organization',
        maxLength: 100,
      },
      {
        name: 'website',
        label: 'Website',
        kind: 'text',
        optional: true,
        autocomplete: 'url',
        maxLength: 300,
      },
      {
        name: 'country',
        label: 'Country',
        kind: 'choice',
        autocomplete: 'country',
        options: { '': 'Choose a country', ...countryNames() },
      },
      {
        name: 'services',
        label: 'Services you offer',
        kind: 'checkboxes',
        hint: 'Choose at least one.',
        options: partnerServices,
      },
      { name: 'how_heard', label: 'How did you hear about us?', kind: 'radio', options: howHeardOptions },
    ],
  },
};

function countryNames(): Record<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return Object.fromEntries(
    countryCodes
      .map((code) => [code, names.of(code) ?? code] as const)
      .sort(([, a], [, b]) => a.localeCompare(b, 'en')),
  );
}
