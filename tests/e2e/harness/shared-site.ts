import type { SharedSite } from './global-setup.ts';

/** The site that `global-setup` started for all browser tests. Tests must not change what is live on it. */
export function sharedSite(): SharedSite {
  const text = process.env['SHARED_SITE'];
  if (!text) throw new Error('No shared site: run the browser tests with `npm run test:e2e`.');
  return JSON.parse(text) as SharedSite;
}
