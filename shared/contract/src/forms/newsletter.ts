import { NEWSLETTER_SOURCE } from '../form-sources.ts';
import type { FormDefinition } from './form.ts';

/** The letter at the foot of every page. */
export const newsletterForm = {
  name: 'newsletter',
  sourceId: NEWSLETTER_SOURCE,
  place: '/home',
  title: 'New blocks, in your inbox',
  button: 'Subscribe',
  thanks: { title: 'Thank you. You are subscribed.', text: 'The next letter comes to your inbox.' },
  captcha: false,
  fields: {
    email: {
      kind: 'email',
      label: 'Email',
      // The one message that the specification shows to a visitor (section 5).
      problem: 'You need to provide a valid email to subscribe.',
    },
  },
} satisfies FormDefinition;
