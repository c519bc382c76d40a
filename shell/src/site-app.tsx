import type { ReactNode } from 'react';
import { SiteContext, type SiteServices } from '@site/kit/host';
import { NewsletterContext, type SubscribeToNewsletter } from './newsletter/newsletter-context.ts';

export interface SiteAppProps {
  services: SiteServices;
  subscribeToNewsletter: SubscribeToNewsletter;
  /** The router, of the browser or of the server. */
  children: ReactNode;
}

/** What stands above the router, in the browser and when rendered ahead of time: exactly the same tree. */
export function SiteApp({ services, subscribeToNewsletter, children }: SiteAppProps) {
  return (
    <SiteContext value={services}>
      <NewsletterContext value={subscribeToNewsletter}>{children}</NewsletterContext>
    </SiteContext>
  );
}
