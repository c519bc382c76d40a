import { formSources } from '@site/contract';

/** What is sent when a visitor without an identity enters an address for the newsletter. */
export const newsletterEntry = (email: string) => ({
  email,
  source_id: formSources.newsletter,
  form_fields: email,
  visitor_unique_id: '',
  visitor_type: 'guest',
});
