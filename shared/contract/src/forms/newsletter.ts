import { NEWSLETTER_SOURCE } from './form-sources.ts';
import type { FormDefinition } from './form.ts';

/**
 * The newsletter form at the foot of every page. Its messages (`newsletterThanks`) are separate, because
 * pages need them only after sending.
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
      // The only message that the specification defines (section 5).
      problem: 'You need to provide a valid email to subscribe.',
    },
  },
} satisfies Omit<FormDefinition, 'thanks'>;
