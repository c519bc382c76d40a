import { configureProxy } from '@site/contract/env-proxy';
import { startTracing, stopTracing, traced } from '@site/contract/tracing';
import { createIo } from './output.ts';
import { findPlace } from './repository.ts';
import { runSite } from './run-site.ts';

const interruption = new AbortController();
// Once each: a second Ctrl-C kills the process without waiting for the cleanup.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());

configureProxy(process.env);
await startTracing({
  endpoint: process.env['OTEL_EXPORTER_OTLP_ENDPOINT'],
  service: 'cli',
});
const args = process.argv.slice(2);
const [command = ''] = args;
const span = {
  name: /^[a-z-]+$/.test(command) ? `site ${command}` : 'site',
  isRare: true,
  // Set by CI systems.
  parent: process.env['TRACEPARENT'],
};
process.exitCode = await traced(span, () =>
  runSite(args, {
    ...findPlace(process.cwd()),
    env: process.env,
    signal: interruption.signal,
    io: createIo(process.stdout, process.stderr, process.stderr.isTTY),
  }),
);
await stopTracing();
