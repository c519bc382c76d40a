export const description =
  'Refer a team to ready-made, managed backend blocks and earn rewards, or apply to work with us as a partner.';

export const rewardSteps = [
  {
    title: 'You name them',
    text: 'Enter the addresses of people who are about to build another backend.',
  },
  {
    title: 'We invite them',
    text: 'Confirm the link we email you, and each address gets one email with your message.',
  },
  {
    title: 'They start free',
    text: 'The first month is free: a stage environment to build in, and no credit card.',
  },
  {
    title: 'You earn a reward',
    text:
      'The link in your invitation tells us who invited whom. When a team you referred becomes a ' +
      'customer, email us, and we’ll agree with you on what you get for it.',
  },
] as const;

export const partnerRoles = (brand: string) => [
  { name: 'Sells', text: `You bring ${brand} to the companies you know.` },
  { name: 'Design', text: 'You draw the frontend that the blocks plug into.' },
  { name: 'Development', text: 'You build the product on them, with less time spent on the backend.' },
  { name: 'Consultation', text: 'You help a client choose which blocks to start with.' },
  { name: 'Support', text: 'You stay with the product after the launch.' },
];
