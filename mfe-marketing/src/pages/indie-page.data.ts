import type { BlockName } from '@site/ui/blocks/block-name';

/** Invented: the specification has no real testimonials. */
export const testimonials = [
  {
    quote: 'Sign-up worked before lunch. In my last product it took three weeks.',
    who: 'A freelance frontend developer',
    what: 'Booking tool for music teachers',
  },
  {
    quote: 'I’m a designer. I never learned how a load balancer works, and I still don’t need to.',
    who: 'A designer who codes',
    what: 'Online course with 12 lessons',
  },
  {
    quote: 'Four weeks of evenings, next to a full-time job. I spent half of the last one on colors.',
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
    text: 'Customers log in, pick a time and see taken slots live.',
    blocks: ['auth', 'forms', 'real-time'],
  },
  {
    title: 'An online course',
    text: 'Lessons and progress for every learner, on a site with your design.',
    blocks: ['university', 'content', 'auth'],
  },
  {
    title: 'A small shop',
    text: 'A catalog, orders, and points for returning customers.',
    blocks: ['products', 'sales', 'rewards'],
  },
  {
    title: 'A local guide',
    text: 'Places on a map, searchable by name and distance.',
    blocks: ['geolocation', 'search', 'content'],
  },
];
