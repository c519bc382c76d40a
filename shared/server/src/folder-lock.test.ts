import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { lockFolder } from './folder-lock.ts';
import { nextEvent, waitFor } from './testing/wait-for.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folder-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

const onLinux = existsSync('/proc/self/stat') ? test : test.skip;

onLinux('a lock of a process that has ended is taken over, although its parent took no notice', async () => {
  // The shell is replaced by `sleep`, which does not reap its child; the child exits with its input.
  const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  try {
    const [line] = (await nextEvent(parent.stdout as Readable, 'data')) as [Buffer];
    const pid = Number(line.toString());
    await waitFor(async () => expect(await readFile(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n'));
    (parent.stdio[3] as Writable).end();
    const fields = async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
    await waitFor(async () => expect((await fields())[0]).toBe('Z'));
    const lock = join(folder, 'process.lock');
    await writeFile(lock, JSON.stringify({ pid, started: (await fields())[19] }));
    const giveBack = await lockFolder(lock, folder);
    expect(JSON.parse(await readFile(lock, 'utf8'))).toMatchObject({ pid: process.pid });
    await giveBack();
  } finally {
    parent.kill('SIGKILL');
  }
});

test('the lock of a running process is rejected with its process id', async () => {
  const lock = join(folder, 'process.lock');
  await writeFile(lock, JSON.stringify({ pid: process.ppid, started: null }));
  await expect(lockFolder(lock, folder)).rejects.toMatchObject({
    code: 'folder_in_use',
    message: expect.stringContaining(`in use by process ${process.ppid}`) as unknown,
  });
});
