import type { SiteConfig } from '@site/contract';

/**
 * Scripts of the site can plant cookies for its whole registrable domain, and browsers send them to every host below
 * it.
 * @returns one line per console or service below the site's domain.
 */
export function sharedDomainWarnings({ origin, gateway, forms }: SiteConfig, registryUrl: string): string[] {
  const site = registrableDomain(origin);
  const others = { console: registryUrl, gateway: gateway.base, forms: forms.base };
  return Object.entries(others)
    .filter(([, url]) => site !== null && registrableDomain(url) === site)
    .map(
      ([name, url]) =>
        `warning: ${new URL(url).host} (${name}) shares the domain ${site} with the site, and receives every cookie ` +
        'that a remote sets there. Use another domain.',
    );
}

/** Approximate: recognizes suffixes such as co.uk by their length. Null for addresses and single names. */
function registrableDomain(url: string): string | null {
  const host = URL.parse(url)?.hostname ?? '';
  const labels = host.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  if (labels.length < 2 || !/^[a-z]/.test(top)) return null;
  return labels.slice(top.length === 2 && second.length <= 3 ? -3 : -2).join('.');
}
