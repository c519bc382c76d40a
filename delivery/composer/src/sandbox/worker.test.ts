import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { encodeFrame } from '../frames.ts';
import { workerCode } from '../sandbox-process.ts';
import { nextEvent } from '@site/server/testing/wait-for';

test.each([
  ['before a request', []],
  ['before a response', ['id', 'load', 'exports.render = () => 1; exports.shared = {}', '']],
])('ends when the composer is gone %s', async (_when, request) => {
  const worker = spawn(process.execPath, ['--input-type=module', '-'], {
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
  });
  const channel = worker.stdio[3] as Socket;
  if (request.length > 0) await new Promise<unknown>((sent) => channel.write(encodeFrame(request), sent));
  channel.destroy();
  worker.stdin?.end(workerCode());
  const [exitCode] = (await nextEvent(worker, 'exit')) as [number | null];
  expect(exitCode).toBe(0);
});
