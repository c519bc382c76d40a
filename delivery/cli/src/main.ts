import { createIo } from './output.ts';
import { findPlace } from './repository.ts';
import { runSite } from './run-site.ts';

const interruption = new AbortController();
// Once each: who presses Ctrl-C again does not want to wait for what ends in good order.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

process.exitCode = await runSite(process.argv.slice(2), {
  ...findPlace(process.cwd()),
  env: process.env,
  signal: interruption.signal,
  io: createIo(process.stdout, process.stderr, process.stderr.isTTY),
});
