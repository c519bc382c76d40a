import type { SiteConfig } from '@site/contract';
import { createStructuredData } from './structured-data.ts';

const config: SiteConfig = {
  origin: 'https://www.example.com',
  mode: 'production',
  gateway: { base: '', appId: '' },
  forms: { base: '', appId: '' },
  brand: { name: 'Acme' },
};

function readGraph(markup: string): Record<string, unknown>[] {
  const [, json = ''] =
    /^<script type="application\/ld\+json" data-first-page="">(.*)<\/script>$/.exec(markup) ?? [];
  return (JSON.parse(json) as { '@graph': Record<string, unknown>[] })['@graph'];
}

test('every document names the publisher', () => {
  const organization = {
    '@type': 'Organization',
    '@id': 'https://www.example.com/#organization',
    name: 'Acme',
  };
  expect(readGraph(createStructuredData(config).markup())).toEqual([
    {
      '@type': 'WebSite',
      '@id': 'https://www.example.com/#website',
      name: 'Acme',
      url: 'https://www.example.com/home',
      publisher: organization,
    },
  ]);
});

test('duplicate data of a page appears once', () => {
  const data = createStructuredData(config);
  data.add([{ '@type': 'FAQPage', name: 'x' }]);
  data.add([{ '@type': 'FAQPage', name: 'x' }]);
  expect(readGraph(data.markup()).filter((thing) => thing['@type'] === 'FAQPage')).toHaveLength(1);
});

test('quotes are preserved, and no text can end the data block', () => {
  const text = `</script><!-- "quoted" & 'more'`;
  const data = createStructuredData(config);
  data.add([{ '@type': 'Thing', name: text }]);
  const markup = data.markup();
  expect(markup.match(/<\/script/g)).toHaveLength(1);
  expect(markup).not.toContain('<!--');
  // Escaped brackets in a brand or a text are not parsed as tags.
  expect(markup.match(/[<>]/g)).toHaveLength(4);
  expect(readGraph(markup).at(-1)).toEqual({ '@type': 'Thing', name: text });
});
