import { applyChanges, changedApps } from './app-set.ts';

test('a change replaces only the apps it names', () => {
  expect(applyChanges({ shell: '1', 'mfe-a': '1' }, { 'mfe-a': '2', 'mfe-b': '1' })).toEqual({
    shell: '1',
    'mfe-a': '2',
    'mfe-b': '1',
  });
});

test('an app counts as changed when its version differs, when it is new and when it is gone', () => {
  expect(changedApps({ a: '1', b: '1', c: '1' }, { a: '2', b: '1', d: '1' })).toEqual(['a', 'c', 'd']);
});

test('equal sets have no changed apps', () => {
  expect(changedApps({ a: '1' }, { a: '1' })).toEqual([]);
});
