import { runInThread } from './run-in-thread.ts';

const thread = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort, workerData } from 'node:worker_threads'; ${code}`,
    )}`,
  );

test('returns the message of the thread', async () => {
  await expect(runInThread(thread('parentPort.postMessage(workerData + 1)'), 1, 60_000)).resolves.toBe(2);
});

test('work without end is ended, and so is work that takes too much memory', async () => {
  await expect(runInThread(thread('for (;;);'), null, 1_000)).resolves.toBeNull();
  const hoard = thread('const all = []; for (;;) all.push(new Array(1e5).fill({}));');
  await expect(runInThread(hoard, null, 60_000)).rejects.toThrow('memory limit');
});
