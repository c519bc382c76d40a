import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** A start that fails while something that it opened never closes. */
const start = `
  import { runProcess } from '@site/server/run-process';
  import { StartError } from '@site/server/start-error';
  import { createStack } from ${JSON.stringify(join(import.meta.dirname, 'stack.ts'))};
  await runProcess(async () => {
    const stack = createStack({ abandonMs: 50 });
    stack.use({ close: () => new Promise(() => undefined) });
    try {
      throw new StartError('The first activation was refused.');
    } catch (error) {
      await stack.abandon();
      throw error;
    }
  });
`;

test('a failed start logs the reason and exits with code 1, even if something does not close', () => {
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', start], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'The first activation was refused.\n' });
});
