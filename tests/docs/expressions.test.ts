import { filesIn, textOf } from './read-documents.ts';

/**
 * Such as `/\/+$/`: at each place of a run of the character it begins again, so a text of 16,000 of them takes a fifth of a second,
 * in which a server answers nobody. What begins at a fixed place, or cannot begin twice in a run, is not meant.
 */
const looksAgain = /(?<!\\)\/(?!\^|\/|\*)(?:\\.|\[(?:\\.|[^\]])*\]|\([^)]*\)|[^\\/\n])[+*]\$\/[a-z]*/g;

const sources = filesIn('.').filter(
  (path) =>
    /^(?:shared|services|delivery|shell|mfe-\w+)\/.*\.(?:tsx?|mjs)$/.test(path) &&
    !/\.test\.|\/testing\//.test(path),
);

test('no expression of the code looks for the end of a text from every place of a run', () => {
  expect('path.replace(/\\/+$/, "")'.match(looksAgain)).toEqual(['/\\/+$/']);
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap((path) =>
    (textOf(path).match(looksAgain) ?? []).map((expression) => `${path}: ${expression}`),
  );
  expect(found).toEqual([]);
});
