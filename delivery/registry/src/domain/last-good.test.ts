import { earlierVersions } from './last-good.ts';

const span = (version: string, since: number, proven = false) => ({ version, since, proven });

test('the versions that were live before this one come most recent first', () => {
  const history = [span('v1', 1), span('v2', 2), span('v3', 3)];
  expect(earlierVersions('v3', history)).toEqual(['v2', 'v1']);
});

test('recent is what was live most recently, not what was published most recently', () => {
  // v2 was activated, put back to v1, then v3 followed.
  const history = [span('v2', 2), span('v1', 3), span('v3', 4)];
  expect(earlierVersions('v3', history)).toEqual(['v1', 'v2']);
});

test('the first version of an app has none', () => {
  expect(earlierVersions('v1', [span('v1', 7)])).toEqual([]);
  expect(earlierVersions('v1', [])).toEqual([]);
});

test('what is proven to be good comes before what was only live: two bad versions in a row are both passed over', () => {
  const history = [span('v1', 1, true), span('v2', 2, true), span('v3', 3), span('v4', 4)];
  expect(earlierVersions('v4', history)).toEqual(['v2', 'v1', 'v3']);
});
