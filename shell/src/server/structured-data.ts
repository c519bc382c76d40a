import { FIRST_PAGE_ATTRIBUTE, type SiteConfig } from '@site/contract';
import { brandOf, type StructuredData } from '@site/kit/host';

/** What is said to search engines in one document: whose site it is, and what its page adds while it is rendered. */
export interface StructuredDataBlock {
  add(data: readonly StructuredData[]): void;
  /** The data block for `<head>`. */
  markup(): string;
}

export function createStructuredData(config: SiteConfig): StructuredDataBlock {
  // React may render a page more than once before it is complete: the same thing counts once.
  const said = new Map<string, StructuredData>();
  const add = (data: readonly StructuredData[]) => {
    for (const thing of data) said.set(JSON.stringify(thing), thing);
  };
  add([webSite(config)]);
  return {
    add,
    markup() {
      const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': [...said.values()] });
      // "<" could begin the end of the element, and a search for tags in the head takes ">" for the end of one.
      const text = json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
      return `<script type="application/ld+json" ${FIRST_PAGE_ATTRIBUTE}="">${text}</script>`;
    },
  };
}

/** The page about the company says more about the publisher, under the same id. */
function webSite(config: SiteConfig): StructuredData {
  const { origin } = config;
  const { name } = brandOf(config);
  return {
    '@type': 'WebSite',
    '@id': `${origin}/#website`,
    name,
    url: `${origin}/home`,
    publisher: { '@type': 'Organization', '@id': `${origin}/#organization`, name },
  };
}
