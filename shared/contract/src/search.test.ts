import { readSearchQuery, searchSentence } from './search.ts';

const found = (count: number) => ({
  query: 'auth',
  results: Array.from({ length: count }, () => ({ href: '/', title: 'A page', heading: '', text: '' })),
});

test('a query keeps words with soft hyphens or zero-width spaces intact', () => {
  const asked = new URLSearchParams({ q: ' Daten\u00ADschutz  Inter\u200Boperability ' });
  expect(readSearchQuery(asked.toString())).toBe('Datenschutz Interoperability');
});

test.each([
  [0, 'Nothing found for “auth”'],
  [1, '1 result for “auth”'],
  [19, '19 results for “auth”'],
  // There may be more results.
  [20, 'The 20 best results for “auth”'],
])('%i results', (count, sentence) => {
  expect(searchSentence(found(count))).toBe(sentence);
});
