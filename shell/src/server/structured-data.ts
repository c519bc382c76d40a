import { FIRST_PAGE_ATTRIBUTE, type SiteConfig } from '@site/contract';
import { toSiteBrand, type StructuredData } from '@site/kit/host';

export interface StructuredDataBlock {
  add(data: readonly StructuredData[]): void;
  markup(): string;
}

export function createStructuredData(config: SiteConfig): StructuredDataBlock {
  const said = new Map<string, StructuredData>();
  const add = (data: readonly StructuredData[]) => {
    for (const thing of data) said.set(JSON.stringify(thing), thing);
  };
  add([webSite(config)]);
  return {
    add,
    markup() {
      const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': [...said.values()] });
      // "<" could end the element, and the head parser treats ">" as the end of a tag.
      const text = json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
      return `<script type="application/ld+json" ${FIRST_PAGE_ATTRIBUTE}="">${text}</script>`;
    },
  };
}

/** The about page adds details about the publisher under the same ID. */
function webSite(config: SiteConfig): StructuredData {
  const { origin } = config;
  const { name } = toSiteBrand(config);
  return {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name,
    url: `${origin}/home`,
    publisher: { '@type': 'Organization', '@id': `${origin}/#organization`, name },
  };
}
