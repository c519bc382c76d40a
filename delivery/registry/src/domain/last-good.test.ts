import { lastGoodVersion } from './last-good.ts';

const usable = () => true;

test('is the version that was live before this one', () => {
  const history = [
    { version: 'v1', lastRelease: 1 },
    { version: 'v2', lastRelease: 2 },
    { version: 'v3', lastRelease: 3 },
  ];
  expect(lastGoodVersion('v3', history, usable)).toBe('v2');
});

test('is what was live most recently, not what was published most recently', () => {
  // v2 was activated, put back to v1, then v3 followed.
  const history = [
    { version: 'v2', lastRelease: 2 },
    { version: 'v1', lastRelease: 3 },
    { version: 'v3', lastRelease: 4 },
  ];
  expect(lastGoodVersion('v3', history, usable)).toBe('v1');
});

test('is never a version that is quarantined', () => {
  const history = [
    { version: 'v1', lastRelease: 1 },
    { version: 'bad', lastRelease: 2 },
    { version: 'v3', lastRelease: 3 },
  ];
  expect(lastGoodVersion('v3', history, (version) => version !== 'bad')).toBe('v1');
});

test('is nothing for the first version of an app', () => {
  expect(lastGoodVersion('v1', [{ version: 'v1', lastRelease: 7 }], usable)).toBeNull();
  expect(lastGoodVersion('v1', [], usable)).toBeNull();
});
