import { configureProxy } from '@site/contract/env-proxy';
import { createIo } from './output.ts';
import { findPlace } from './repository.ts';
import { runSite } from './run-site.ts';

const interruption = new AbortController();
// Once each: a second Ctrl-C kills the process without waiting for the cleanup.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

configureProxy(process.env);
process.exitCode = await runSite(process.argv.slice(2), {
  ...findPlace(process.cwd()),
  env: process.env,
  signal: interruption.signal,
  io: createIo(process.stdout, process.stderr, process.stderr.isTTY),
});
