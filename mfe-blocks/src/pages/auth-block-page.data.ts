export const description =
  'The Auth Block gives your app a users system: registration, login and password recovery behind REST APIs, managed for you.';

export const keyFeatures = [
  {
    title: 'Registration',
    text: 'New users sign up with one call. You keep your own screens and your own words.',
  },
  {
    title: 'Login',
    text: 'A right password gives a token; your frontend sends it with each request from then on.',
  },
  {
    title: 'Password recovery',
    text: 'A user who forgot the password sets a new one by a link in the mailbox.',
  },
  {
    title: 'Tokens that expire',
    text: 'Each token says whose it is and until when. It is renewed before or after it runs out.',
  },
  {
    title: 'Guests first',
    text: 'A visitor can have an identity before signing up: anonymous, with the role guest.',
  },
  {
    title: 'Dev, Stage and Prod',
    text: 'Try changes on users that are not real. Each plan comes with the three environments.',
  },
] as const;

export interface Flow {
  title: string;
  text: readonly string[];
  sample: { title: string; code: string };
}

/** The block's flows, call by call. */
export const flows: readonly Flow[] = [
  {
    title: 'Registration',
    text: [
      'Your form posts an address and a password. The block checks both, stores the user and answers with the new identity.',
      'An address that is taken, or a password that is too weak, is answered with an error that names the field, so you can show it where it belongs.',
    ],
    sample: {
      title: 'Example: register a user (curl)',
      code: `curl -X POST "$API/users/register" \\
  -H "appid: $APP_ID" \\
  -H "Content-Type: application/json" \\
  -d '{
    "email": "ada@example.com",
    "password": "a long sentence is fine"
  }'

# 201 Created
{
  "data": {
    "type": "users",
    "id": "5f0c9f6e-8d0a-4a3e-9a53-0c1a7a2f9b11",
    "attributes": { "email": "ada@example.com" }
  }
}`,
    },
  },
  {
    title: 'Login',
    text: [
      'The same two values open a session. The token comes in the response header company-token; its payload carries the user’s id and the time it expires.',
      'Send it as a Bearer token, together with your app id. When it has run out, ask for a new one: nobody has to log in again for that.',
    ],
    sample: {
      title: 'Example: log in and make a call (JavaScript)',
      code: `const answer = await fetch(API + '/users/login', {
  method: 'POST',
  headers: { appid: APP_ID, 'Content-Type': 'application/json' },
  body: JSON.stringify({ email, password }),
});
if (!answer.ok) throw new Error('Wrong address or password.');

const token = answer.headers.get('company-token');

// From here on, each request says who is asking.
await fetch(API + '/users/me', {
  headers: { Authorization: 'Bearer ' + token, appid: APP_ID },
});`,
    },
  },
  {
    title: 'Password recovery',
    text: [
      'Two calls. The first sends a link to the address, and answers the same whether that address is known or not: nobody can find out who has an account.',
      'The second takes the code of the link and the new password. The code works once.',
    ],
    sample: {
      title: 'Example: forgot and reset (JavaScript)',
      code: `// 1. The user asks for a link.
await fetch(API + '/users/password/forgot', {
  method: 'POST',
  headers: { appid: APP_ID, 'Content-Type': 'application/json' },
  body: JSON.stringify({ email }),
});

// 2. The user comes back with the code of that link.
await fetch(API + '/users/password/reset', {
  method: 'POST',
  headers: { appid: APP_ID, 'Content-Type': 'application/json' },
  body: JSON.stringify({ code, password: newPassword }),
});`,
    },
  },
];

/** Illustrations of the site's own claims, not customer reports. */
export const stories = [
  {
    who: 'A developer on her own',
    title: 'A paid app after four weeks',
    text: 'She has four weeks for an MVP. The first goes to setup and authentication: with the block in place she spends it on her screens, and keeps the other three for what makes her product hers.',
    result: 'The 4-week MVP: an 80 percent time reduction for sole developers and startups.',
  },
  {
    who: 'A startup',
    title: 'From testers to paying users',
    text: 'The team tries sign-up with a few testers in Stage, changes the texts twice, and opens Prod when it is right. Registration, login and recovery stay the same calls all the way.',
    result: 'The first month is free in the stage environment, with no credit card.',
  },
  {
    who: 'A digital agency',
    title: 'One login for every client project',
    text: 'Each client wants accounts, and each used to have its users system built from scratch. The agency plugs in the same block each time and puts the hours into design.',
    result: '60% time reduction for agencies, and room for 2–3 more projects a month.',
  },
] as const;

export const useCases = [
  {
    title: 'Customer portals',
    text: 'Customers register, log in and see what is theirs: orders, files, messages.',
  },
  { title: 'Member areas', text: 'Courses, articles or downloads that only members can open.' },
  {
    title: 'Internal tools',
    text: 'Logins for a company’s own people: each plan covers 1,000 internal users.',
  },
  { title: 'Mobile apps', text: 'The same REST calls from a phone: one users system for app and web.' },
] as const;

/** The specification's infrastructure benefits, verbatim where it has a text. */
export const infrastructure = [
  { title: 'Cloud Ready', text: 'Hosted on a cloud provider with high availability.' },
  { title: 'Secure', text: 'Enterprise-grade security.' },
  { title: 'Fast', text: 'Optimized for performance.' },
  { title: 'Developer Friendly', text: 'REST APIs with clear documentation.' },
] as const;
