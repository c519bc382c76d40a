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
    title: 'Create an app, set the base URLs',
    text: [
      'Sign up and create an app to get your own app IDs. These samples use this site’s URLs and app IDs, so you can run them now.',
      'Each service has a base URL that ends with a slash. Append the paths to it.',
    ],
    calls: [],
    sample: 'Addresses and app ids',
    samples: setupSamples,
  },
  {
    title: 'Give your visitor an identity',
    text: [
      'A guest is a visitor without an account. Generate a random UUID and send it as both IDs.',
      'The response returns the guest’s token in the `company-token` header. It can read and update this guest only.',
    ],
    calls: ['POST guests', 'GET guests/{id}', 'PUT guests/{id}'],
    sample: 'Create and read a guest',
    samples: guestSamples,
  },
  {
    title: 'Keep the token fresh',
    text: [
      'A token is a JWT. Its payload has `user_unique_id` and `exp`, the expiry time in seconds.',
      'If `exp` has passed or is missing, send the old token and read the new one from the same header. Run one renewal at a time.',
    ],
    calls: ['POST guests/{id}/auth'],
    sample: 'Renew a token',
    samples: authSamples,
  },
  {
    title: 'Store what people send you',
    text: [
      'Register the guest as a user identity with the role `guest`, then send the form.',
      '`source_id` is your form’s ID, and `form_fields` contains its fields as text. Unknown forms are rejected with 422. Without an identity, leave `visitor_unique_id` empty and send no token.',
      'Every form except the newsletter needs a captcha, which visitors never see: fetch a challenge with `GET captcha`, solve it in the browser, and send the solution as the field `captcha`.',
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
