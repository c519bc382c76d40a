import type { ReactNode } from 'react';
import { SiteContext, type SiteServices } from '@site/kit/host';
import { NewsletterContext, type SubscribeToNewsletter } from './newsletter/newsletter-context.ts';

export interface SiteAppProps {
  services: SiteServices;
  subscribeToNewsletter: SubscribeToNewsletter;
  children: ReactNode;
}

/** The tree above the router. It must be identical in the browser and during prerendering. */
export function SiteApp({ services, subscribeToNewsletter, children }: SiteAppProps) {
  return (
    <SiteContext value={services}>
      <NewsletterContext value={subscribeToNewsletter}>{children}</NewsletterContext>
    </SiteContext>
  );
}
