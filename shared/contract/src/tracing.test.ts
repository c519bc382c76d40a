import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTracer } from './tracing-sdk.ts';
import type { TracingOptions } from './tracer.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = `00-${TRACE}-00f067aa0ba902b7-01`;
const options: TracingOptions = { endpoint: 'http://127.0.0.1:1', service: 'test' };
const started = (more: Partial<TracingOptions>, span: { parent?: string; isRare?: boolean } = {}) =>
  createTracer({ ...options, ...more }).start({ name: 'a span', ...span }).traceparent;

test('a span continues a valid traceparent, and begins a trace with any other', () => {
  expect(started({}, { parent })).toMatch(new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[\\da-f]{16}-01$`));
  const invalid = ['', 'x', parent.slice(1), `ff${parent.slice(2)}`, parent.replace(TRACE, '0'.repeat(32))];
  for (const text of invalid) expect(started({}, { parent: text })).not.toContain(TRACE);
});

test('visitors cannot have their requests recorded, trusted callers can, and rare spans always are', () => {
  expect(started({ ratio: 0 }, { parent })).toMatch(/-00$/);
  expect(started({ ratio: 0, trustsCallers: true }, { parent })).toMatch(/-01$/);
  expect(started({ ratio: 0 }, { parent, isRare: true })).toMatch(/-01$/);
});

test('without an endpoint no package is loaded', async () => {
  const module = JSON.stringify(join(import.meta.dirname, 'tracing.ts'));
  const loaded = async (endpoint?: string) => {
    const script = `
      import { createRequire } from 'node:module';
      import { startTracing, startSpan, traceHeaders } from ${module};
      await startTracing({ service: 'test', endpoint: ${JSON.stringify(endpoint)} });
      const files = Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('opentelemetry'));
      console.log(JSON.stringify([files.length > 0, startSpan({ name: 'a' }) !== null, traceHeaders()]));
      process.exit();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
    });
    return JSON.parse(stdout) as unknown;
  };
  expect(await loaded()).toEqual([false, false, {}]);
  expect(await loaded('http://127.0.0.1:1')).toEqual([true, true, {}]);
});
