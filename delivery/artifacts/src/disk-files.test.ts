import { ArtifactStoreError } from './artifact-store.ts';
import { isNotFound, storeError } from './disk-files.ts';

const failure = (code: string) => Object.assign(new Error(`${code}: as the system says it`), { code });

test.each([
  ['ENOSPC', 'there is no space left'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'permission denied'],
  ['ENOTDIR', 'it is not a folder'],
  ['EEXIST', 'it is not a folder'],
  ['EIO', 'EIO: as the system says it'],
])('a disk that fails with %s is reported with the remedy', (code, reason) => {
  const cause = failure(code);
  const error = storeError(cause, 'write to', '/srv/files');
  expect(error.message).toContain('Cannot write to the artifact folder "/srv/files": ');
  expect(error.message).toContain(reason);
  expect(error.cause).toBe(cause);
});

test('a file system without hard links is named', () => {
  const cause = Object.assign(failure('EPERM'), { syscall: 'link' });
  expect(storeError(cause, 'write to', '/srv/files').message).toContain('its file system has no hard links');
});

test('an error of the store stays as it is', () => {
  const error = new ArtifactStoreError('The blob is damaged.');
  expect(storeError(error, 'read', '/srv/files')).toBe(error);
});

test('only a missing file is not found', () => {
  expect(['ENOENT', 'ENOTDIR', 'EACCES'].map((code) => isNotFound(failure(code)))).toEqual([
    true,
    false,
    false,
  ]);
});
