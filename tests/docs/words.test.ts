import { filesIn, inDocuments, extractProse, tableRows, readText } from './read-documents.ts';

/** Checks the documents against the glossary, and documents and sources for dialect phrases. */
const replaced = tableRows(readText('docs/glossary.md')).flatMap(([, , not = '']) =>
  not.split(',').map((word) => word.trim()),
);

/** The sentences of the documents that contain one of these. */
const sentencesWith = (words: RegExp, except: string[] = []) =>
  inDocuments((text, document) => {
    if (except.includes(document)) return [];
    const sentences = extractProse(text)
      .replaceAll(/\s+/g, ' ')
      .split(/(?<=[.:;|]) /);
    return sentences.filter((sentence) => words.test(sentence));
  });

test('no document uses a word that the glossary replaces', () => {
  const words = replaced.filter(Boolean);
  expect(words).toContain('candidate');
  const pattern = new RegExp(`(?<!release |release-)\\b(?:${words.join('|')})\\b`, 'i');
  expect(sentencesWith(pattern, ['docs/glossary.md'])).toEqual([]);
});

/** Phrases that confused readers. */
const odd = new RegExp(
  [
    "anew|belongs? into|else than|(?:could|can|cannot|can't) (?:not )?be had|whoever does not|that (?:is|are) none",
    'when it is none|none of (?:its|our) business|of before|for ever|not there any ?more is|may everything|the own',
    '(?:is|are) silent since|number of percent|(?:nothing|no form) was told of|(?:kept|away) for long enough',
  ]
    .map((phrases) => `\\b(?:${phrases})\\b`)
    .join('|'),
  'i',
);

test('documents use none of the phrases that confused readers', () => {
  expect(sentencesWith(odd)).toEqual([]);
});

test('comments and texts in the sources use none of them', () => {
  const sources = filesIn('.').filter(
    (path) =>
      /\.(?:[cm]?[jt]sx?|css)$/.test(path) && !/^tests\/docs\/(?:words\.test|lint-prose)\.ts$/.test(path),
  );
  expect(sources.length).toBeGreaterThan(1_000);
  const found = sources.flatMap((path) => {
    // A phrase may continue in the next line of a comment.
    const text = readText(path).replaceAll(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
    const at = text.search(odd);
    return at < 0 ? [] : [`${path}: ${text.slice(Math.max(0, at - 60), at + 60)}`];
  });
  expect(found).toEqual([]);
});
