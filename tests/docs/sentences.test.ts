import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, tableRows, readText } from './read-documents.ts';

/** Compares `docs/sentences.md` with the pages, so that a changed sentence requires a review of its row. */

const text = readText('docs/sentences.md');
const rows = tableRows(text).map(([sentence = '', where = '', why = '']) => ({
  sentence,
  file: where.replaceAll('`', ''),
  why,
}));

/** The texts of a source file in strings, templates and JSX, without line breaks. */
const readTexts = (file: string) =>
  readText(file)
    .replaceAll(/\{' '\}|' \+\s*'/g, '')
    .replaceAll(/<\/?(?:b|strong|em)>/g, '')
    .replaceAll(/\s+/g, ' ');

test('lists the sentences of every page with claims, of emails and of the pages that they link to', () => {
  expect(rows.length).toBeGreaterThan(60);
});

test.each(rows)('"$sentence" is in $file', ({ sentence, file }) => {
  expect(readTexts(file)).toContain(sentence);
});

test('every file that implements a sentence exists', () => {
  const named = rows.flatMap(({ why }) =>
    [...why.matchAll(/`([\w./-]+\/[\w./-]+)`/g)].map(([, path]) => path!),
  );
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/** The shares and multiples of the specification (section 1). 25% is the lower end of the premium rates. */
const known = new Set(['10x', '60%', '80%', '25%', '25–40%']);

test.each(['home', 'agencies', 'indie', 'startups', 'about', 'cases'])(
  'every share and multiple on the %s page is from the specification',
  (page) => {
    const shown =
      readText(`mfe-marketing/src/pages/${page}-page.data.ts`).match(/\d+(?:[.–-]\d+)?(?:%|x\b)/g) ?? [];
    expect(shown.filter((figure) => !known.has(figure))).toEqual([]);
  },
);
