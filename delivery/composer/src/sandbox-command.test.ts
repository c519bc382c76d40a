import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findSandboxCommand } from './sandbox-command.ts';

const run = promisify(execFile);
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'runs nothing when the process that started it died before it was set up to die with it',
  async () => {
    const { wrap, missing } = await findSandboxCommand();
    const [command = '', ...args] = wrap(['/bin/echo', 'ran']);
    expect((await run(command, args)).stdout).toBe('ran\n');
    // A process whose parent has died has another one.
    const { stdout } = await run('/bin/sh', ['-c', '"$@"; true', 'sh', command, ...args]);
    // Only with namespaces: without them this is set up last, when it is another user.
    expect(stdout).toBe(missing === null ? '' : 'ran\n');
  },
);
