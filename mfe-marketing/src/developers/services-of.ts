import type { SiteConfig } from '@site/contract';
import type { Services } from './samples.ts';

/** The services of this site; where a site runs without them, addresses that are plainly examples. */
export function servicesOf({ gateway, forms }: SiteConfig): Services {
  return {
    gateway: { ...gateway, base: gateway.base || 'https://gateway.example.com/' },
    forms: { ...forms, base: forms.base || 'https://forms.example.com/' },
  };
}
