import { applyChanges, changedApps, leaveOut } from './app-set.ts';

const live = { apps: { shell: '1', 'mfe-a': '1' }, leftOut: {} };

test('a change replaces only the apps it names', () => {
  expect(applyChanges(live, { 'mfe-a': '2', 'mfe-b': '1' })).toEqual({
    apps: { shell: '1', 'mfe-a': '2', 'mfe-b': '1' },
    leftOut: {},
  });
});

test('what is left out keeps its version beside the set, until a change brings it back', () => {
  const without = leaveOut(live, ['mfe-a', 'mfe-nothing']);
  expect(without).toEqual({ apps: { shell: '1' }, leftOut: { 'mfe-a': '1' } });
  expect(applyChanges(without, { shell: '2' }).leftOut).toEqual({ 'mfe-a': '1' });
  expect(applyChanges(without, { 'mfe-a': '2' })).toEqual({
    apps: { shell: '1', 'mfe-a': '2' },
    leftOut: {},
  });
});

test('an app counts as changed when its version differs, when it is new and when it is gone', () => {
  expect(changedApps({ a: '1', b: '1', c: '1' }, { a: '2', b: '1', d: '1' })).toEqual(['a', 'c', 'd']);
});

test('equal sets have no changed apps', () => {
  expect(changedApps({ a: '1' }, { a: '1' })).toEqual([]);
});
