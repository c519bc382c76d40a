import { filesIn, readText } from './read-documents.ts';

/**
 * Such as `/\/+$/`, which is quadratic: it restarts at each position of a run, so 16,000 of these characters
 * block a server for a fifth of a second. Anchored expressions are not affected.
 */
const looksAgain = /(?<!\\)\/(?!\^|\/|\*)(?:\\.|\[(?:\\.|[^\]])*\]|\([^)]*\)|[^\\/\n])[+*]\$\/[a-z]*/g;

const sources = filesIn('.').filter(
  (path) =>
    /^(?:shared|services|delivery|shell|mfe-\w+)\/.*\.(?:tsx?|mjs)$/.test(path) &&
    !/\.test\.|\/testing\//.test(path),
);

test('no expression searches for the end of a text from every position of a run', () => {
  expect('path.replace(/\\/+$/, "")'.match(looksAgain)).toEqual(['/\\/+$/']);
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap((path) =>
    (readText(path).match(looksAgain) ?? []).map((expression) => `${path}: ${expression}`),
  );
  expect(found).toEqual([]);
});
