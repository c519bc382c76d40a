import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { SpanOptions, TracingOptions } from './tracer.ts';
import { inSpan, startSpan, startTracing, stopTracing } from './tracing.ts';

// Test files share modules.
afterEach(stopTracing);

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = `00-${TRACE}-00f067aa0ba902b7-01`;
const start = async (more: Partial<TracingOptions>, span: Partial<SpanOptions> = {}) => {
  await startTracing({ endpoint: 'http://127.0.0.1:1', service: 'test', ...more });
  return startSpan({ name: 'a span', kind: 'server', ...span });
};

test('a request continues a valid traceparent, and begins a trace with any other', async () => {
  const span = await start({}, { parent });
  expect(span?.traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[\\da-f]{16}-01$`));
  const invalid = ['', 'x', parent.slice(1), `ff${parent.slice(2)}`, parent.replace(TRACE, '0'.repeat(32))];
  for (const text of invalid)
    expect((await start({}, { parent: text }))?.traceId).toMatch(/^(?!4bf92)[\da-f]{32}$/);
});

test('visitors cannot have their requests recorded, trusted callers can, and rare spans always are', async () => {
  expect(await start({ ratio: 0 }, { parent })).toBeNull();
  expect(await start({ ratio: 0, trustsCallers: true }, { parent })).not.toBeNull();
  expect(await start({ trustsCallers: true }, { parent: parent.replace(/1$/, '0') })).toBeNull();
  expect(await start({ ratio: 0 }, { isRare: true })).not.toBeNull();
});

test('processes with one ratio record the same traces', async () => {
  const ending = (end: string) => ({ parent: parent.replace('0e0e4736', end) });
  expect(await start({ ratio: 0.01 }, ending('00000001'))).not.toBeNull();
  expect(await start({ ratio: 0.99 }, ending('ffffffff'))).toBeNull();
});

test('a span inside of a recorded request belongs to it, and is not recorded outside', async () => {
  const request = await start({});
  const inner = inSpan(request, () => startSpan({ name: 'select', kind: 'client' }));
  expect(inner?.traceId).toBe(request?.traceId);
  expect(startSpan({ name: 'select', kind: 'client' })).toBeNull();
});

test('without an endpoint no package is loaded', async () => {
  const module = JSON.stringify(join(import.meta.dirname, 'tracing.ts'));
  const loaded = async (endpoint?: string) => {
    const script = `
      import { createRequire } from 'node:module';
      import { startTracing, startSpan, traceHeaders } from ${module};
      await startTracing({ service: 'test', endpoint: ${JSON.stringify(endpoint)} });
      const files = Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('opentelemetry'));
      console.log(JSON.stringify([files.length > 0, startSpan({ name: 'a', kind: 'server' }) !== null, traceHeaders()]));
      process.exit();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
    });
    return JSON.parse(stdout) as unknown;
  };
  expect(await loaded()).toEqual([false, false, {}]);
  expect(await loaded('http://127.0.0.1:1')).toEqual([true, true, {}]);
});
