import { linkedPaths } from './linking-pages.ts';

test('finds links to pages of this site in any notation', () => {
  const html =
    '<a href="/careers">a</a><a class="x" href="/jobs/#open">b</a><a href="/about-us?from=x&amp;y=1">c</a>' +
    '<a href="http://localhost:8080/blocks">d</a><a href="https://example.com/careers-elsewhere">e</a>' +
    '<a href="mailto:jobs@example.com">f</a><a href="#here">g</a><p data-href="/never">/nor-this</p>';
  expect([...linkedPaths(html, 'http://localhost:8080')].sort()).toEqual([
    '/',
    '/about-us',
    '/blocks',
    '/careers',
    '/jobs',
  ]);
});
