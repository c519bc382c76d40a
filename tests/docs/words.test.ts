import { inDocuments, proseOf, tableRows, textOf } from './read-documents.ts';

/** Holds the documents to the glossary, and to plain English. */
const replaced = tableRows(textOf('docs/glossary.md')).flatMap(([, , not = '']) =>
  not.split(',').map((word) => word.trim()),
);

/** The sentences of the documents that hold one of these, but for what errors.md quotes from the code. */
const sentencesWith = (words: RegExp, except: string[]) =>
  inDocuments((text, document) => {
    if (except.includes(document)) return [];
    const sentences = proseOf(text)
      .replaceAll(/\s+/g, ' ')
      .split(/(?<=[.:;|]) /);
    return sentences.filter((sentence) => words.test(sentence));
  });

test('the words that the glossary replaces are in no document', () => {
  const words = replaced.filter(Boolean);
  expect(words).toContain('candidate');
  const pattern = new RegExp(`(?<!release |release-)\\b(?:${words.join('|')})\\b`, 'i');
  expect(sentencesWith(pattern, ['docs/glossary.md'])).toEqual([]);
});

test('documents use none of the phrases that readers stumbled over', () => {
  const odd =
    /\banew\b|\bbelongs? into\b|\belse than\b|\b(?:could|can|cannot|can't) (?:not )?be had\b|\bwhoever does not\b|\bthat is none\b|\bof before\b|\bfor ever\b|\bnot there any ?more is\b/i;
  expect(sentencesWith(odd, ['docs/errors.md'])).toEqual([]);
});
