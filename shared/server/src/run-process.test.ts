import { describeStartError } from './run-process.ts';
import { StartError } from './start-error.ts';

test('a failed start explains the reason: a full disk with the remedy, a bug with its stack', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const says =
    'The disk is full (ENOSPC: no space left on device, write). Free some space there, then start again.';
  expect(describeStartError(full)).toBe(says);
  expect(describeStartError(new StartError('Port 1 is in use.'))).toBe('Port 1 is in use.');
  expect(describeStartError(new TypeError('wrong file'), [TypeError])).toBe('wrong file');
  expect(describeStartError(new Error('boom'))).toMatch(/^Error: boom\n +at /);
});
