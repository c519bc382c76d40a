import type { FormName } from '@site/contract';

const labels: Record<string, string> = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone: 'Phone',
  business_name: 'Business name',
  website: 'Website',
  country: 'Country',
  services: 'Services you offer',
  how_heard: 'How did you hear about us?',
  to_emails: 'To: their emails',
  message: 'Message',
};

/** What a field is called where it is filled in. */
export function labelOf(form: FormName, field: string): string {
  return form === 'referral' && field === 'email' ? 'From: your email' : (labels[field] ?? 'The form');
}
