import { withResults } from './results-html.ts';

const html =
  '<input name="q" data-search-query=""/><div class="x" data-search-results=""></div><footer></footer>';
const result = { href: '/start#pricing', title: 'Start', heading: 'Plans', text: 'Three plans.' };

test('inserts the query and the results, including the results as data', () => {
  const found = { query: 'plans', results: [result] };
  const written = withResults(html, found);
  expect(written).toContain('<input name="q" value="plans"/>');
  expect(written).toContain(
    '><h2>1 result for “plans”</h2><ol><li><h3><a href="/start#pricing">Start<span>Plans</span></a></h3><p>Three plans.</p></li></ol></div><footer>',
  );
  const data = /data-search-results="([^"]*)"/.exec(written)?.[1] ?? '';
  expect(JSON.parse(data.replaceAll('&quot;', '"'))).toEqual(found);
});

test('escapes markup in queries and pages', () => {
  const hostile = `"><img src=x onerror=alert(1)>'</div><script>$&$1`;
  const written = withResults(html, {
    query: hostile,
    results: [{ href: '/a', title: hostile, heading: hostile, text: hostile }],
  });
  expect(written).not.toMatch(/<(img|script)/);
  // Only the writer's own elements remain.
  const tags = [...written.matchAll(/<\/?([a-z0-9]+)/g)].map(([, name]) => name);
  expect(tags.join(' ')).toBe('input div h2 h2 ol li h3 a span span a h3 p p li ol div footer footer');
  expect(written.match(/\$&amp;\$1/g)?.length).toBe(9);
});

test('an empty result shows a message with advice', () => {
  expect(withResults(html, { query: 'x', results: [] })).toContain(
    '<h2>Nothing found for “x”</h2><p>Check the spelling',
  );
});

test('a document without placeholders stays as it is', () => {
  expect(withResults('<p>plain</p>', { query: 'x', results: [] })).toBe('<p>plain</p>');
});
