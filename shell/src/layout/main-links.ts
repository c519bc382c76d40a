import { useBrand } from '@site/kit';

/** The links of header and side panel, in the order of the specification. */
export const mainLinks = [
  { label: 'HOME', to: '/home' },
  { label: 'BLOCKS', to: '/blocks' },
  // "Start" alone says too little out of context: the rest of the name is for screen readers and machines.
  { label: 'START', spoken: ' building', to: '/start' },
  { label: 'SUPPORT', to: '/support' },
  { label: 'DEVELOPERS', to: '/developers' },
] as const;

/** What SUPPORT unfolds to: pages elsewhere, as far as the brand has them. */
export function useSupportLinks(): { label: string; href: string }[] {
  const { status, support } = useBrand();
  return [
    ...(status ? [{ label: 'Platform Status', href: status }] : []),
    ...(support ? [{ label: 'Support Center', href: support }] : []),
  ];
}
