import type { SiteBrand, StructuredData } from '@site/kit';

/**
 * The company as structured data.
 *
 * @see https://developers.google.com/search/docs/appearance/structured-data/organization
 */
export function companyForMachines(brand: SiteBrand, origin: string): StructuredData {
  const { name, legalName, email, phone, address = {}, social = {} } = brand;
  return {
    '@type': 'Organization',
    '@id': `${origin}/#organization`,
    slogan: 'Plug. Build. Ship.',
    url: `${origin}/home`,
    logo: `${origin}/icon-512.png`,
    ...present({
      name,
      legalName,
      email,
      telephone: phone?.replaceAll(/[^+\d]/g, ''),
      sameAs: Object.values(social).filter(Boolean),
    }),
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: 'customer support',
      url: `${origin}/support`,
      ...present({ email }),
    },
    ...(brand.place && {
      address: {
        '@type': 'PostalAddress',
        ...present({
          streetAddress: address.street,
          addressLocality: address.city,
          addressRegion: address.region,
          postalCode: address.postalCode,
          addressCountry: address.country,
        }),
      },
    }),
  };
}

/** Omits undefined properties. */
function present(things: Record<string, string | (string | undefined)[] | undefined>) {
  return Object.fromEntries(Object.entries(things).filter(([, value]) => value?.length));
}
