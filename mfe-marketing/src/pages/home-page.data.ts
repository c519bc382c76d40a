export type HeadlineVariant = 'a' | 'b';

export interface Headline {
  /** Two lines on narrow screens, one on wide ones. Both headlines break alike, which avoids a layout shift. */
  lines: readonly [string, string];
  lead: string;
  actions: readonly { text: string; path: string }[];
}

export const headlines: Record<HeadlineVariant, Headline> = {
  a: {
    lines: ['API', 'MICROSERVICES'],
    lead: 'Fully managed backend blocks with the business logic built in. Choose the ones your product needs, connect them over REST and leave running them to us.',
    actions: [
      { text: 'Open a Free Account', path: '/start' },
      { text: 'Explore', path: '/blocks' },
    ],
  },
  b: {
    lines: ['BACKEND', 'AS A SERVICE'],
    lead: 'Build your backend the way you build with Lego pieces: pick ready-made blocks, snap them together, plug your frontend on top. No infrastructure to run.',
    actions: [
      { text: 'Start Building Free', path: '/start' },
      { text: 'View Documentation', path: '/developers' },
    ],
  },
};

export const drawn = [
  { count: 9, name: 'blocks' },
  { count: 1, name: 'frontend' },
  { count: 0, name: 'servers to run' },
];

/** A hero link with the headline variant as its campaign. */
export function campaignLink(path: string, variant: HeadlineVariant): string {
  return `${path}?utm_source=home&utm_medium=cta&utm_campaign=docs_${variant}`;
}

/** Plain-text answers, because the structured data reuses them. */
export const questions = [
  {
    question: 'What exactly is a block?',
    answer:
      'A managed API microservice with its business logic built in: Auth signs users up and in, Forms collects submissions, Search queries your own content. You call it over REST from any frontend; we host it, watch it and keep it running.',
  },
  {
    question: 'Which frontends do blocks work with?',
    answer:
      'Any that can send an HTTP request. A block has no opinion on your framework, your design or your hosting: it answers with JSON, and what you make of the answer is yours.',
  },
  {
    question: 'How fast can I have something to show?',
    answer:
      'The plan for sole developers and startups is an MVP in four weeks: setup and authentication first, then core features, then payments and polish, then launch. Compared with building the same backend yourself, that is an 80 percent reduction in time.',
  },
  {
    question: 'What does it cost to try?',
    answer:
      'Nothing. There is a free tier with pay-as-you-go pricing, and the first month is free in a stage environment. You do not need a credit card to start.',
  },
  {
    question: 'What do I still operate?',
    answer:
      'Your frontend. Instrumentation, telemetry, DevOps and infrastructure are part of every block, which is ready for production, cloud-based, secure and isolated, and highly available.',
  },
  {
    question: 'Who helps when I am stuck?',
    answer:
      'Support responds within 24 hours, Monday to Friday. Free accounts are helped by email and other channels; commercial services get the support that was purchased with them.',
  },
] as const;
