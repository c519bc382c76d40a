import { createStructuredData } from './structured-data.ts';

function graphOf(markup: string): Record<string, unknown>[] {
  const [, json = ''] =
    /^<script type="application\/ld\+json" data-first-page="">(.*)<\/script>$/.exec(markup) ?? [];
  return (JSON.parse(json) as { '@graph': Record<string, unknown>[] })['@graph'];
}

test('every document says who the site is', () => {
  const graph = graphOf(createStructuredData('https://www.example.com').markup());
  expect(graph.map((thing) => [thing['@type'], thing['@id']])).toEqual([
    ['Organization', 'https://www.example.com/#organization'],
    ['WebSite', 'https://www.example.com/#website'],
  ]);
});

test('what a page says twice stands there once', () => {
  const data = createStructuredData('https://www.example.com');
  data.add([{ '@type': 'FAQPage', name: 'x' }]);
  data.add([{ '@type': 'FAQPage', name: 'x' }]);
  expect(graphOf(data.markup()).filter((thing) => thing['@type'] === 'FAQPage')).toHaveLength(1);
});

test('quotes stay quotes, and nothing in a text ends the data block', () => {
  const text = `</script><!-- "quoted" & 'more'`;
  const data = createStructuredData('https://www.example.com');
  data.add([{ '@type': 'Thing', name: text }]);
  const markup = data.markup();
  expect(markup.match(/<\/script/g)).toHaveLength(1);
  expect(markup).not.toContain('<!--');
  expect(graphOf(markup).at(-1)).toEqual({ '@type': 'Thing', name: text });
});
