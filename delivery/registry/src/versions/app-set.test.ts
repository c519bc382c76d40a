import { applyChanges, changedApps, leaveOut, retire, toLiveSet } from './app-set.ts';

const live = { apps: { shell: '1', 'mfe-a': '1' }, leftOut: {}, retired: {} };

test('a change replaces only the apps it names', () => {
  expect(applyChanges(live, { 'mfe-a': '2', 'mfe-b': '1' })).toEqual({
    apps: { shell: '1', 'mfe-a': '2', 'mfe-b': '1' },
    leftOut: {},
    retired: {},
  });
});

test('a left-out app keeps its version until a change brings it back', () => {
  const without = leaveOut(live, ['mfe-a', 'mfe-nothing']);
  expect(without).toEqual({ apps: { shell: '1' }, leftOut: { 'mfe-a': '1' }, retired: {} });
  expect(applyChanges(without, { shell: '2' }).leftOut).toEqual({ 'mfe-a': '1' });
  expect(applyChanges(without, { 'mfe-a': '2' })).toEqual({
    apps: { shell: '1', 'mfe-a': '2' },
    leftOut: {},
    retired: {},
  });
});

test('a retired app is neither live nor left out until a change brings it back', () => {
  const what = { version: '1', to: '/home', paths: ['/a'] };
  const without = retire(live, 'mfe-a', what);
  expect(without).toEqual({ apps: { shell: '1' }, leftOut: {}, retired: { 'mfe-a': what } });
  expect(retire(leaveOut(live, ['mfe-a']), 'mfe-a', what)).toEqual(without);
  expect(leaveOut(applyChanges(without, { 'mfe-b': '1' }), ['mfe-b']).retired).toEqual({ 'mfe-a': what });
  expect(applyChanges(without, { 'mfe-a': '2' })).toEqual({ ...live, apps: { shell: '1', 'mfe-a': '2' } });
});

test('a release without left-out and retired apps has empty maps', () => {
  expect(toLiveSet({ apps: live.apps })).toEqual(live);
  expect(toLiveSet(undefined)).toEqual({ apps: {}, leftOut: {}, retired: {} });
});

test('an app counts as changed if its version differs, if it is new or if it is gone', () => {
  expect(changedApps({ a: '1', b: '1', c: '1' }, { a: '2', b: '1', d: '1' })).toEqual(['a', 'c', 'd']);
});

test('equal sets have no changed apps', () => {
  expect(changedApps({ a: '1' }, { a: '1' })).toEqual([]);
});
