import { splitHead } from './split-head.ts';

test('hoisted tags go to the head, the rest stays', () => {
  const markup =
    '<title>Home · Blocks</title><meta name="description" content="a &gt; b"/><link rel="canonical" href="/home"/><div><p>x</p></div>';
  expect(splitHead(markup)).toEqual({
    head: '<title>Home · Blocks</title><meta name="description" content="a &gt; b"/><link rel="canonical" href="/home"/>',
    html: '<div><p>x</p></div>',
  });
});

test('a page without head tags has an empty head', () => {
  expect(splitHead('<main>x</main>')).toEqual({ head: '', html: '<main>x</main>' });
});

test('a title inside a drawing stays where it is', () => {
  const markup = '<svg><title>Glyph</title></svg>';
  expect(splitHead(markup)).toEqual({ head: '', html: markup });
});
