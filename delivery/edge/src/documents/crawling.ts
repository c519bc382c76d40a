import type { SiteConfig } from '@site/contract';

/**
 * Whether search engines should keep away: from everything that is not production. A site at a loopback address is an
 * exception, whatever its mode: no crawler reaches it, and what runs on a developer's machine should measure as
 * production does.
 */
export function keepsCrawlersAway({ mode, origin }: SiteConfig): boolean {
  return mode !== 'production' && !isLoopback(new URL(origin).hostname);
}

/** @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.|\[::1\]$)/.test(hostname);
}
