export interface Audience {
  name: string;
  path: string;
  cover: 'indie' | 'startups' | 'agencies';
  text: string;
  claims: readonly { value: string; label: string }[];
}

export const audiences: readonly Audience[] = [
  {
    name: 'Indie developers',
    path: '/indie',
    cover: 'indie',
    text: 'One person, one product, no backend team. Take the parts everybody needs from the box and write the part nobody else has.',
    claims: [
      { value: '4 weeks', label: 'to an MVP' },
      { value: '80%', label: 'time reduction' },
    ],
  },
  {
    name: 'Startups',
    path: '/startups',
    cover: 'startups',
    text: 'Put a product in front of customers before the runway shortens. Add blocks as you learn what they want.',
    claims: [
      { value: '4 weeks', label: 'to an MVP' },
      { value: '80%', label: 'time reduction' },
    ],
  },
  {
    name: 'Digital agencies',
    path: '/agencies',
    cover: 'agencies',
    text: 'Start every client project from the same tested parts, and spend the hours you win on more of them.',
    claims: [
      { value: '60%', label: 'time reduction' },
      { value: '2–3', label: 'more projects a month' },
      { value: '25–40%', label: 'premium rate increase' },
      { value: '+$15–50k', label: 'monthly revenue impact' },
    ],
  },
];

export const statistics = [
  { value: '10x', label: 'faster time to market' },
  { value: '15+', label: 'production-ready blocks' },
  { value: '1000+', label: 'development hours saved' },
] as const;
