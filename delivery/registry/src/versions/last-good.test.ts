import { earlierVersions } from './last-good.ts';

const span = (version: string, since: number, proven = false) => ({ version, since, proven });

test('previously live versions are sorted by most recent activation', () => {
  const history = [span('v1', 1), span('v2', 2), span('v3', 3)];
  expect(earlierVersions('v3', history)).toEqual(['v2', 'v1']);
});

test('recent means most recently live, not most recently published', () => {
  // v2 was activated, rolled back to v1, then v3 followed.
  const history = [span('v2', 2), span('v1', 3), span('v3', 4)];
  expect(earlierVersions('v3', history)).toEqual(['v1', 'v2']);
});

test('the first version of an app has no candidates', () => {
  expect(earlierVersions('v1', [span('v1', 7)])).toEqual([]);
  expect(earlierVersions('v1', [])).toEqual([]);
});

test('proven versions precede versions that were only live: two bad versions in a row are both skipped', () => {
  const history = [span('v1', 1, true), span('v2', 2, true), span('v3', 3), span('v4', 4)];
  expect(earlierVersions('v4', history)).toEqual(['v2', 'v1', 'v3']);
});
