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
