import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One test file: how long it takes, and of each source file the ranges that it ran, as V8 nests them. */
export interface Coverage {
  test: string;
  ms: number;
  ranges: Record<string, [start: number, end: number, count: number][]>;
}

/** The files of a worker share its modules, so they share the session. */
const held = globalThis as { coverageSession?: Session };
if (!held.coverageSession) {
  held.coverageSession = new Session();
  held.coverageSession.connect();
  await held.coverageSession.post('Profiler.enable');
  await held.coverageSession.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}
const session = held.coverageSession;
const startedAt = performance.now();
// Starts the counters at zero.
await session.post('Profiler.takePreciseCoverage');

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const root = process.cwd();
  const ranges: Coverage['ranges'] = {};
  for (const { url, functions } of result) {
    const path = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : '';
    if (!path.includes('/src/') || path.includes('node_modules') || /\.test\.|\/testing\//.test(path))
      continue;
    ranges[path] = functions.flatMap((each) =>
      each.ranges.map((range): [number, number, number] => [range.startOffset, range.endOffset, range.count]),
    );
  }
  const test = relative(root, expect.getState().testPath ?? '');
  const coverage: Coverage = { test, ms: performance.now() - startedAt, ranges };
  writeFileSync(join(process.env['RECORD_COVERAGE'] ?? '', `${randomUUID()}.json`), JSON.stringify(coverage));
});
