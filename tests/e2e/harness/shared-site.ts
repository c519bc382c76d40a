import type { SharedSite } from './global-setup.ts';

/** The site of `global-setup` for all browser tests. Tests must not change its live release. */
export function sharedSite(): SharedSite {
  const text = process.env['SHARED_SITE'];
  if (!text) throw new Error('No shared site: run the browser tests with `npm run test:e2e`.');
  return JSON.parse(text) as SharedSite;
}
