import {
  authSamples,
  formSamples,
  guestSamples,
  setupSamples,
  type Samples,
  type Services,
} from './samples.ts';

export interface IntegrationStep {
  title: string;
  /** Paragraphs. Text in backticks is set as code. */
  text: readonly string[];
  calls: readonly string[];
  sample: string;
  samples: (services: Services) => Samples;
}

export const integrationSteps: readonly IntegrationStep[] = [
  {
    title: 'Create an app, point at the services',
    text: [
      'Sign up and create an app: it has app ids of its own. The addresses and app ids in these samples are those of this site, so that they can be tried.',
      'Each service has a base address that ends with a slash. Paths are appended to it.',
    ],
    calls: [],
    sample: 'Addresses and app ids',
    samples: setupSamples,
  },
  {
    title: 'Give your visitor an identity',
    text: [
      'A guest is a visitor without an account. Draw a random UUID and send it as both ids.',
      'The answer carries the guest’s token in the header `company-token`. With it the guest can read and change itself, and nobody else.',
    ],
    calls: ['POST guests', 'GET guests/{id}', 'PUT guests/{id}'],
    sample: 'Create and read a guest',
    samples: guestSamples,
  },
  {
    title: 'Keep the token fresh',
    text: [
      'A token is a JWT. Its payload carries `user_unique_id` and `exp`, the expiry in seconds.',
      'When `exp` has passed or is missing, send the old token once more and take the new one from the same header. Let only one renewal run at a time.',
    ],
    calls: ['POST guests/{id}/auth'],
    sample: 'Renew a token',
    samples: authSamples,
  },
  {
    title: 'Store what people send you',
    text: [
      'Register the guest as a user identity with the role `guest`, then send the form.',
      '`source_id` names the form, `form_fields` holds its fields as text. The one in the sample is an example: a form that is not known is refused with 422. Without an identity, `visitor_unique_id` stays empty and no token is needed.',
      'A form takes each submission with a captcha that asks the visitor nothing: fetch a challenge with `GET captcha`, let the browser solve it, and send the solution as `captcha` among the fields. Only the newsletter’s form goes without.',
    ],
    calls: [
      'POST identities/{id}/register',
      'GET identities/{id}',
      'PUT identities/{id}',
      'GET captcha',
      'POST subscriptions',
    ],
    sample: 'Register and subscribe',
    samples: formSamples,
  },
];
