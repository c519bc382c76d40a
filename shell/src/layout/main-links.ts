import { brand } from '@site/kit';

/** The links of header and side panel, in the order of the specification. */
export const mainLinks = [
  { label: 'HOME', to: '/home' },
  { label: 'BLOCKS', to: '/blocks' },
  { label: 'START', to: '/start' },
  { label: 'SUPPORT', to: '/support' },
  { label: 'DEVELOPERS', to: '/developers' },
] as const;

/** What SUPPORT unfolds to: pages elsewhere. */
export const supportLinks = [
  { label: 'Platform Status', href: brand.links.platformStatus },
  { label: 'Support Center', href: brand.links.supportCenter },
] as const;
