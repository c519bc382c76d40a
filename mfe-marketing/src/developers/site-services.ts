import type { SiteConfig } from '@site/contract';
import type { Services } from './samples.ts';

/** The site's services, or obvious example URLs if the site has none. */
export function siteServices({ gateway, forms }: SiteConfig): Services {
  return {
    gateway: { ...gateway, base: gateway.base || 'https://gateway.example.com/' },
    forms: { ...forms, base: forms.base || 'https://forms.example.com/' },
  };
}
