import { PARTNER_APPLICATION_SOURCE } from './form-sources.ts';
import { countries } from './countries.ts';
import type { FormDefinition } from './form.ts';

export const partnerApplicationForm = {
  name: 'partner-application',
  sourceId: PARTNER_APPLICATION_SOURCE,
  place: '/partners#apply',
  title: 'Apply as a partner',
  button: 'Send application',
  thanks: {
    title: 'We’ve got your application',
    text: 'We’ll reply by email to the address you gave.',
  },
  captcha: true,
  fields: {
    first_name: {
      kind: 'line',
      label: 'First name',
      missing: 'Enter your first name.',
      autoComplete: 'given-name',
      half: true,
    },
    last_name: {
      kind: 'line',
      label: 'Last name',
      missing: 'Enter your last name. If you have one name, enter it here too.',
      autoComplete: 'family-name',
      half: true,
    },
    email: { kind: 'email', label: 'Email', half: true },
    phone: { kind: 'phone', label: 'Phone', missing: 'Enter a phone number.', half: true },
    business_name: {
      kind: 'line',
      label: 'Business name',
      missing: 'Enter the name of your business.',
      autoComplete: 'organization',
      half: true,
    },
    website: { kind: 'website', label: 'Website', optional: true, half: true },
    country: {
      kind: 'choice',
      label: 'Country',
      missing: 'Choose a country.',
      placeholder: 'Choose a country',
      autoComplete: 'country',
      options: countries,
    },
    services: {
      kind: 'checkboxes',
      label: 'Services you offer',
      hint: 'Choose at least one.',
      missing: 'Choose at least one service.',
      unlisted: 'Choose from the services listed.',
      options: {
        sells: 'Sells',
        design: 'Design',
        development: 'Development',
        consultation: 'Consultation',
        support: 'Support',
      },
    },
    how_heard: {
      kind: 'radio',
      label: 'How did you hear about us?',
      missing: 'Choose how you heard about us.',
      options: {
        customer: 'Customer',
        partner: 'Partner',
        website: 'Website',
        'web-research': 'Web research',
        'social-media': 'Social media',
        email: 'Email',
        event: 'Event',
      },
    },
  },
} satisfies FormDefinition;
