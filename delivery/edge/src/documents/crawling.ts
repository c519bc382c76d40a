import { isLoopbackHost, type SiteConfig } from '@site/contract';

/**
 * Whether search engines should keep away: from everything that is not production. A site at a loopback address is an
 * exception, whatever its mode: no crawler reaches it, and what runs on a developer's machine should measure as
 * production does.
 */
export function keepsCrawlersAway({ mode, origin }: SiteConfig): boolean {
  const { hostname } = new URL(origin);
  return mode !== 'production' && !isLoopbackHost(hostname) && !hostname.endsWith('.localhost');
}
