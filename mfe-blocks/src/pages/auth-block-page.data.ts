export const description =
  'The Auth Block gives your app a users system: registration, login and password recovery behind REST APIs, managed for you.';

export const keyFeatures = [
  {
    title: 'Registration',
    text: 'One call signs up a user. You keep your own screens and your own words.',
  },
  {
    title: 'Login',
    text: 'An email address and a password return a token. Your frontend sends it with each request.',
  },
  {
    title: 'Password recovery',
    text: 'Users who forget their password reset it with an emailed link.',
  },
  {
    title: 'Tokens that expire',
    text: 'Tokens are JWTs with the user’s id and expiry time. Renew them before or shortly after they expire.',
  },
  {
    title: 'Guests first',
    text: 'Visitors get an anonymous identity with the guest role before they sign up.',
  },
  {
    title: 'Dev, Stage and Prod',
    text: 'Test changes on test users first. Every plan includes all three environments.',
  },
] as const;

/** Illustrations of the site's own claims, not customer reports. */
export const stories = [
  {
    who: 'A solo developer',
    title: 'A paid app after four weeks',
    text: 'Four weeks for an MVP, and the first usually goes to setup and authentication. With the block she spends it on her screens, and the other three on what makes her product different.',
    result: 'The 4-week MVP: an 80 percent time reduction for sole developers and startups.',
  },
  {
    who: 'A startup',
    title: 'From testers to paying users',
    text: 'The team tests sign-up with a few people in Stage, rewrites its copy twice, then opens Prod. The calls for registration, login and recovery never change.',
    result: 'The first month is free in the stage environment, with no credit card.',
  },
  {
    who: 'A digital agency',
    title: 'One login for every client project',
    text: 'Every client wants accounts, and the agency used to build a users system for each. Now it plugs in the same block and puts the hours into design.',
    result: '60% time reduction for agencies, and room for 2–3 more projects a month.',
  },
] as const;

export const useCases = [
  {
    title: 'Customer portals',
    text: 'Customers register, log in and see their own orders, files and messages.',
  },
  { title: 'Member areas', text: 'Courses, articles and downloads for members only.' },
  {
    title: 'Internal tools',
    text: 'Logins for your own staff. Each plan covers 1,000 internal users.',
  },
  { title: 'Mobile apps', text: 'The same REST calls from a phone, so app and web share their users.' },
] as const;

/** The specification's infrastructure benefits, verbatim where it has a text. */
export const infrastructure = [
  { title: 'Cloud Ready', text: 'Hosted on a cloud provider with high availability.' },
  { title: 'Secure', text: 'Enterprise-grade security.' },
  { title: 'Fast', text: 'Optimized for performance.' },
  { title: 'Developer Friendly', text: 'REST APIs with clear documentation.' },
] as const;
