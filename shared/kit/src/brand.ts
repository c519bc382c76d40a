import type { Brand, SiteConfig } from '@site/contract';
import { useSiteConfig } from './site-context.ts';

/** The site's brand for pages. Missing fields are empty or undefined: nothing links to them. */
export interface SiteBrand extends Omit<Brand, 'application'> {
  application: string | undefined;
  /** The company's location: “Boulder, Colorado”, or empty. */
  place: string;
}

export function toSiteBrand({ brand, mode, origin }: SiteConfig): SiteBrand {
  const { city, region } = brand?.address ?? {};
  return {
    name: new URL(origin).host,
    ...brand,
    application: brand?.application?.[mode],
    place: [city, region].filter(Boolean).join(', '),
  };
}

export function useBrand(): SiteBrand {
  return toSiteBrand(useSiteConfig());
}
