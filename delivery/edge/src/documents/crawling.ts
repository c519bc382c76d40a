import { isLoopbackHost, type SiteConfig } from '@site/contract';

/**
 * Whether search engines should be excluded: everywhere except in production. A loopback origin is an exception, since
 * no crawler reaches it and audits on a developer's machine should measure as in production.
 */
export function keepsCrawlersAway({ mode, origin }: SiteConfig): boolean {
  const { hostname } = new URL(origin);
  return mode !== 'production' && !isLoopbackHost(hostname) && !hostname.endsWith('.localhost');
}
