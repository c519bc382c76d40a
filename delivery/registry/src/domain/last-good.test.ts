import { earlierVersions } from './last-good.ts';

test('the versions that were live before this one come most recent first', () => {
  const history = [
    { version: 'v1', since: 1 },
    { version: 'v2', since: 2 },
    { version: 'v3', since: 3 },
  ];
  expect(earlierVersions('v3', history)).toEqual(['v2', 'v1']);
});

test('recent is what was live most recently, not what was published most recently', () => {
  // v2 was activated, put back to v1, then v3 followed.
  const history = [
    { version: 'v2', since: 2 },
    { version: 'v1', since: 3 },
    { version: 'v3', since: 4 },
  ];
  expect(earlierVersions('v3', history)).toEqual(['v1', 'v2']);
});

test('the first version of an app has none', () => {
  expect(earlierVersions('v1', [{ version: 'v1', since: 7 }])).toEqual([]);
  expect(earlierVersions('v1', [])).toEqual([]);
});
