import type { Brand, SiteConfig } from '@site/contract';
import { useSiteConfig } from './site-context.ts';

/** Who the site speaks for, as pages show it. What is missing is empty or undefined: nothing links to it. */
export interface SiteBrand extends Omit<Brand, 'application'> {
  /** The origin of the application that visitors sign up to, in the site's mode. */
  application: string | undefined;
  /** Where the company is at home: “Boulder, Colorado”, or an empty text. */
  place: string;
}

/** The brand in a site's configuration. A release without one goes by its host. */
export function brandOf({ brand, mode, origin }: SiteConfig): SiteBrand {
  const { city, region } = brand?.address ?? {};
  return {
    name: new URL(origin).host,
    ...brand,
    application: brand?.application?.[mode],
    place: [city, region].filter(Boolean).join(', '),
  };
}

/**
 * Who the site speaks for: it is part of the release's configuration.
 *
 * @throws Error outside of the shell.
 */
export function useBrand(): SiteBrand {
  return brandOf(useSiteConfig());
}
