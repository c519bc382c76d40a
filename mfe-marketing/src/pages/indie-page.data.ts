import type { BlockName } from '@site/ui/blocks/block-name';

export const benefits = [
  {
    title: '4-week MVP',
    text: 'Setup and authentication, core features, payments and polish, launch: a week each. You know on day one what is finished on day 28.',
  },
  {
    title: '80 percent time reduction',
    text: 'Sign-up, forms, files, search: the parts that eat the evenings come out of the box. What stays is the part that is yours.',
  },
  {
    title: 'Nothing to operate',
    text: 'Instrumentation, telemetry, DevOps and infrastructure are part of every block. No pager beside the bed.',
  },
  {
    title: 'A free start',
    text: 'A free tier, a first month free in the stage environment, no credit card. After that you take a plan by the month, for one block to begin with.',
  },
] as const;

/** Illustrative, and labeled so on the page: the specification has no real testimonials. */
export const testimonials = [
  {
    quote:
      'I had the sign-up flow running before lunch. For the last product that took me three weeks, and I was proud of it.',
    who: 'A freelance frontend developer',
    what: 'Booking tool for music teachers',
  },
  {
    quote:
      'I design for a living. I never wanted to know what a load balancer is, and with this one I still do not.',
    who: 'A designer who codes',
    what: 'Online course with 12 lessons',
  },
  {
    quote:
      'Four weeks, evenings only, beside a full-time job. Half of the fourth week was choosing the colors.',
    who: 'A developer with a side project',
    what: 'Guide to the bakeries of one town',
  },
] as const;

export interface UseCase {
  title: string;
  text: string;
  blocks: readonly BlockName[];
}

export const useCases: readonly UseCase[] = [
  {
    title: 'A booking tool',
    text: 'Customers log in, choose a time and see at once when it is taken.',
    blocks: ['auth', 'forms', 'real-time'],
  },
  {
    title: 'An online course',
    text: 'Lessons, learners and their progress, on a site that looks like yours.',
    blocks: ['university', 'content', 'auth'],
  },
  {
    title: 'A small shop',
    text: 'A catalog, orders, and points for customers who come back.',
    blocks: ['products', 'sales', 'rewards'],
  },
  {
    title: 'A local guide',
    text: 'Places on a map, found by name or by how far they are.',
    blocks: ['geolocation', 'search', 'content'],
  },
];
