import { FIRST_PAGE_ATTRIBUTE } from '@site/contract';
import { brand } from '@site/kit';
import type { StructuredData } from '@site/kit/host';

/** What is said to search engines in one document: who the site is, and what its page adds while it is rendered. */
export interface StructuredDataBlock {
  add(data: readonly StructuredData[]): void;
  /** The data block for `<head>`. */
  markup(): string;
}

export function createStructuredData(origin: string): StructuredDataBlock {
  // React may render a page more than once before it is complete: the same thing counts once.
  const said = new Map<string, StructuredData>();
  const add = (data: readonly StructuredData[]) => {
    for (const thing of data) said.set(JSON.stringify(thing), thing);
  };
  add([organization(origin), webSite(origin)]);
  return {
    add,
    markup() {
      const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': [...said.values()] });
      // "<" could begin what ends the element.
      const text = json.replaceAll('<', '\\u003c');
      return `<script type="application/ld+json" ${FIRST_PAGE_ATTRIBUTE}="">${text}</script>`;
    },
  };
}

/** @see https://developers.google.com/search/docs/appearance/structured-data/organization */
function organization(origin: string): StructuredData {
  return {
    '@type': 'Organization',
    '@id': `${origin}/#organization`,
    name: brand.name,
    slogan: brand.tagline,
    url: `${origin}/home`,
    logo: `${origin}/icon-512.png`,
    email: brand.email,
    telephone: brand.phone.href.replace('tel:', ''),
    sameAs: brand.social.filter(({ name }) => name !== 'Contact').map(({ href }) => href),
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: 'customer support',
      email: brand.email,
      url: `${origin}/support`,
    },
  };
}

function webSite(origin: string): StructuredData {
  return {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name: brand.name,
    url: `${origin}/home`,
    publisher: { '@id': `${origin}/#organization` },
  };
}
