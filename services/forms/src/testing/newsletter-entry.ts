import { formSources } from '@site/contract';

export const newsletterEntry = (email: string) => ({
  email,
  source_id: formSources.newsletter,
  form_fields: email,
  visitor_unique_id: '',
  visitor_type: 'guest',
});
