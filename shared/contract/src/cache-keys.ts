/** Keys by which shared caches are purged, besides `<app>` and `<app>@<version>`: see decision 42. */
export const cacheKeys = {
  /** All responses that depend on the configuration. */
  config: 'site:config',
  /** All responses that depend on every app of the release, such as redirects and `/sitemap.xml`. */
  table: 'site:table',
} as const;
