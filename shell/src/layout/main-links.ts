import { brand } from '@site/kit';

/** The links of header and side panel, in the order of the specification. */
export const mainLinks = [
  { label: 'HOME', to: '/home' },
  { label: 'BLOCKS', to: '/blocks' },
  // "Start" alone says too little out of context: the rest of the name is for screen readers and machines.
  { label: 'START', spoken: ' building', to: '/start' },
  { label: 'SUPPORT', to: '/support' },
  { label: 'DEVELOPERS', to: '/developers' },
] as const;

/** What SUPPORT unfolds to: pages elsewhere. */
export const supportLinks = [
  { label: 'Platform Status', href: brand.links.platformStatus },
  { label: 'Support Center', href: brand.links.supportCenter },
] as const;
