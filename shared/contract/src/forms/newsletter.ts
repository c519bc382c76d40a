import { NEWSLETTER_SOURCE } from '../form-sources.ts';
import type { FormDefinition } from './form.ts';

/**
 * The letter at the foot of every page. Without what is said once it has arrived (`newsletterThanks`): no page needs that before it is
 * sent.
 */
export const newsletterForm = {
  name: 'newsletter',
  sourceId: NEWSLETTER_SOURCE,
  place: '/home',
  title: 'New blocks, in your inbox',
  button: 'Subscribe',
  captcha: false,
  fields: {
    email: {
      kind: 'email',
      label: 'Email',
      // The one message that the specification shows to a visitor (section 5).
      problem: 'You need to provide a valid email to subscribe.',
    },
  },
} satisfies Omit<FormDefinition, 'thanks'>;
