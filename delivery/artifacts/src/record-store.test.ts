import { checkRecordName, isRecordName } from './record-store.ts';

test.each(['a', '0', 'audit-1', 'a-', `a${'b'.repeat(127)}`])('%j is a valid record name', (name) => {
  expect(checkRecordName(name)).toBe(name);
  expect(isRecordName(name)).toBe(true);
});

test.each([
  '',
  '-a',
  '../x',
  'a/../../x',
  'a/b',
  'a\\b',
  'a.b',
  'a\n',
  'a\n../x',
  'a\u0000',
  'a ',
  ' a',
  'A',
  'ä',
  'a%2f..',
  `a${'b'.repeat(128)}`,
])('%j is not a valid record name: it could be a path', (name) => {
  expect(() => checkRecordName(name)).toThrow(TypeError);
  expect(isRecordName(name)).toBe(false);
});
