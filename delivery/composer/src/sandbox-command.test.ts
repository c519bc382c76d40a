import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findSandboxCommand } from './sandbox-command.ts';

const run = promisify(execFile);
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('does not run if its parent died before the parent-death signal was set up', async () => {
  const { wrap, missing } = await findSandboxCommand();
  const [command = '', ...args] = wrap(['/bin/echo', 'ran']);
  expect((await run(command, args)).stdout).toBe('ran\n');
  // A process whose parent has died gets a new parent.
  const { stdout } = await run('/bin/sh', ['-c', '"$@"; true', 'sh', command, ...args]);
  // Only with namespaces. Without them, the parent-death signal is set last, after the change of user.
  expect(stdout).toBe(missing === null ? '' : 'ran\n');
});
