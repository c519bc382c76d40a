import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createLogWriter } from './write-log.ts';
import { nextEvent } from './testing/wait-for.ts';

/** A stream whose reader reads only on request. */
function createStalled() {
  let unread: string[] = [];
  return {
    get writableLength() {
      return unread.join('').length;
    },
    write: (text: string) => unread.push(text),
    on: () => undefined,
    read() {
      const read = unread.join('');
      unread = [];
      return read;
    },
  };
}

test('lines are dropped if they are not read, and counted when there is room again', () => {
  const stream = createStalled();
  const write = createLogWriter(stream, 10);
  for (const line of ['one\n', 'two\n', 'three\n', 'four\n', 'five\nsix\n']) write(line);
  expect(stream.read()).toBe('one\ntwo\nthree\n');
  write('seven\n');
  const [told = '', ...rest] = stream.read().split('\n');
  expect(JSON.parse(told)).toMatchObject({
    level: 'warn',
    msg: '3 lines of the log were dropped because they were not read.',
  });
  expect(rest).toEqual(['seven', '']);
  write('eight\n');
  expect(stream.read()).toBe('eight\n');
});

test('a stopped or closed reader neither crashes the process nor grows its memory', async () => {
  const module = JSON.stringify(join(process.cwd(), 'shared/server/src/write-log.ts'));
  const script = `
    const { writeLog } = await import(${module});
    for (let line = 0; line < 40_000; line += 1) writeLog('x'.repeat(1_000) + '\\n');
    process.stderr.write(process.stdout.writableLength + '\\n');
    process.stdin.once('data', () => {
      writeLog('is anybody there?\\n');
      setImmediate(() => process.stderr.write('alive\\n', () => process.exit(7)));
    });`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script]);
  try {
    child.stdout.pause();
    const [unread] = (await nextEvent(child.stderr, 'data')) as [Buffer];
    expect(Number(unread.toString())).toBeGreaterThan(10_000_000);
    expect(Number(unread.toString())).toBeLessThan(20_000_000);
    child.stdout.destroy();
    await nextEvent(child.stdout, 'close');
    child.stdin.write('go\n');
    const [told] = (await nextEvent(child.stderr, 'data')) as [Buffer];
    expect(told.toString()).toBe('alive\n');
    expect(await nextEvent(child, 'exit')).toEqual([7, null]);
  } finally {
    child.kill('SIGKILL');
  }
});
