import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBlocks, instrumented } from './blocks.ts';
import { isCore } from './core.ts';

export interface RecordedTest {
  name: string;
  ms: number;
  blocks: string[];
}

export interface RecordedFile {
  test: string;
  ms: number;
  tests: RecordedTest[];
  /** Blocks that run outside of its tests. */
  outside: string[];
}

const root = process.cwd();
/** The files of a worker share its modules, so they share the counters. */
const held = globalThis as {
  recorded?: { hits: Set<number>; ids: string[] };
  recordHit?: (block: number) => void;
};
if (!held.recorded) {
  const recorded = { hits: new Set<number>(), ids: [] as string[] };
  held.recorded = recorded;
  held.recordHit = (block) => recorded.hits.add(block);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : '';
      if (!isCore(file) || !loaded.source) return loaded;
      const text = Buffer.from(loaded.source as Uint8Array).toString();
      const blocks = findBlocks(file, text);
      const first = recorded.ids.length;
      recorded.ids.push(...blocks.map(({ id }) => id));
      const source = instrumented(text, blocks, (index) => `globalThis.recordHit(${first + index})`);
      return { ...loaded, source };
    },
  });
}
const { hits, ids } = held.recorded;
const startedAt = performance.now();
const tests: RecordedTest[] = [];
const outside = new Set<string>();
let begunAt = 0;
hits.clear();

beforeEach(() => {
  for (const hit of hits) outside.add(ids[hit] ?? '');
  hits.clear();
  begunAt = performance.now();
});

afterEach(() => {
  const blocks = [...hits].map((hit) => ids[hit] ?? '');
  hits.clear();
  tests.push({ name: expect.getState().currentTestName ?? '', ms: performance.now() - begunAt, blocks });
});

afterAll(() => {
  for (const hit of hits) outside.add(ids[hit] ?? '');
  const test = relative(root, expect.getState().testPath ?? '');
  const recorded: RecordedFile = { test, ms: performance.now() - startedAt, tests, outside: [...outside] };
  const name = createHash('sha256').update(test).digest('hex').slice(0, 16);
  writeFileSync(join(process.env['RECORD_TESTS'] ?? '', `${name}.json`), JSON.stringify(recorded));
});
