import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findSandboxCommand } from './sandbox-command.ts';

const run = promisify(execFile);
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('runs nothing when whoever started it is gone before it could be made to end with them', async () => {
  const { wrap, missing } = await findSandboxCommand();
  const [command = '', ...args] = wrap(['/bin/echo', 'ran']);
  expect((await run(command, args)).stdout).toBe('ran\n');
  // As a process finds itself whose parent ended: with another one.
  const { stdout } = await run('/bin/sh', ['-c', '"$@"; true', 'sh', command, ...args]);
  // Only with namespaces: otherwise its end is arranged last, when it is another user.
  expect(stdout).toBe(missing === null ? '' : 'ran\n');
});
