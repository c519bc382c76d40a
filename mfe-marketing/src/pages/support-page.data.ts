import type { SiteBrand } from '@site/kit';

export const supportPlaces = ({ status, support, email }: SiteBrand) =>
  [
    {
      title: 'Platform Status',
      text: 'Is it us or your code? See which blocks are up before you write.',
      href: status,
    },
    {
      title: 'Support Center',
      text: 'Search for answers, open a request and follow it.',
      href: support,
    },
    {
      title: 'Email',
      text: `Write to ${email} when nothing else fits.`,
      href: email && `mailto:${email}`,
    },
  ].flatMap(({ href, ...place }) => (href ? [{ ...place, href }] : []));

export const plans = [
  {
    title: 'Free account',
    channels: 'Email or other channels',
    text: 'You’re in the free month, in the stage environment. Email us or use another channel on this page.',
  },
  {
    title: 'Commercial services',
    channels: 'Per the purchased service',
    text: 'You pay for a plan. Support follows the service you bought and the priorities below.',
  },
] as const;

/** Section 9 of the specification. */
export const priorities = [
  ['CRITICAL', '', '1 hour', '99% of faults in 1 to 4 hours during business hours', 'unlimited'],
  ['HIGH', 'Affects 3 or more users', '1 business day', '85% in 1 to 2 working days', '7 to 9 per month'],
  [
    'MEDIUM',
    'Affects fewer than 3 users',
    '1 to 2 business days',
    '85% in 2 to 4 working days',
    '4 to 6 per month',
  ],
  ['NORMAL', 'Low impact', '2 to 3 business days', '85% in 4 to 7 working days', '1 to 3 per month'],
] as const;

export const priorityTones = { CRITICAL: 'signal', HIGH: 'sun', MEDIUM: 'blue', NORMAL: 'neutral' } as const;

export const notifications = [
  { title: 'New', text: 'Your report has an incident number. Quote it in every email.' },
  { title: 'Assigned', text: 'An engineer is working on it.' },
  { title: 'Resolved', text: 'It is fixed on our side. Try it on yours.' },
  { title: 'Closed', text: 'All done. The number stays for reference.' },
] as const;

export const reportParts = [
  'What you did, what you expected and what happened',
  'How many users it affects, which sets the priority',
  'The block, the environment (Dev, Stage or Prod) and the time',
  'The x-request-id header of the failed response',
] as const;
