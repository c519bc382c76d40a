import { useBrand } from '@site/kit';

/** The links of the header and the side panel, in the order of the specification. */
export const mainLinks = [
  { label: 'HOME', to: '/home' },
  { label: 'BLOCKS', to: '/blocks' },
  // "Start" is ambiguous out of context: screen readers and crawlers get the full name.
  { label: 'START', spoken: ' building', to: '/start' },
  { label: 'SUPPORT', to: '/support' },
  { label: 'DEVELOPERS', to: '/developers' },
] as const;

/** The items of SUPPORT: external pages, as far as the brand has them. */
export function useSupportLinks(): { label: string; href: string }[] {
  const { status, support } = useBrand();
  return [
    ...(status ? [{ label: 'Platform Status', href: status }] : []),
    ...(support ? [{ label: 'Support Center', href: support }] : []),
  ];
}
