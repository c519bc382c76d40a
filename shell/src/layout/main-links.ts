import { useBrand } from '@site/kit';

export const mainLinks = [
  { label: 'HOME', to: '/home' },
  { label: 'BLOCKS', to: '/blocks' },
  // "Start" is ambiguous out of context: screen readers and crawlers get the full name.
  { label: 'START', spoken: ' building', to: '/start' },
  { label: 'SUPPORT', to: '/support' },
  { label: 'DEVELOPERS', to: '/developers' },
] as const;

export const audienceLinks = [
  { label: 'For indie developers', to: '/indie' },
  { label: 'For startups', to: '/startups' },
  { label: 'For agencies', to: '/agencies' },
];
export const partnersLink = { label: 'Partners', to: '/partners' };
export const casesLink = { label: 'Study Cases', to: '/cases' };

export interface HeaderMenuContents {
  label: string;
  links: { label: string; to: string }[];
}

/** The menus below main links, by their path. Those of SUPPORT are external, as far as the brand has them. */
export function useHeaderMenus(): Record<string, HeaderMenuContents | undefined> {
  const { status, support } = useBrand();
  const external = [
    ...(status ? [{ label: 'Platform Status', to: status }] : []),
    ...(support ? [{ label: 'Support Center', to: support }] : []),
  ];
  return {
    '/start': { label: 'Who it’s for', links: [...audienceLinks, casesLink, partnersLink] },
    '/support': external.length > 0 ? { label: 'More support', links: external } : undefined,
  };
}
