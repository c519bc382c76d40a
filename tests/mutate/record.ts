/**
 * Records which tests run which parts of the core: `npm run mutate:record` runs the `node` tests, and writes their
 * coverage to `node_modules/.cache/mutate`, and `feature-tests.json`, which lists for each source file the few test
 * files that cover most of its mutations. Arguments are those of Jest: `-- --testPathPatterns delivery/guard` records
 * these files again; `-- --listTests` none.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { blocksAround, findBlocks } from './blocks.ts';
import { listCore } from './core.ts';
import { findMutations } from './mutations.ts';
import type { RecordedFile } from './record-tests.ts';
import { RECORD } from './recorded-tests.ts';

/** Including Jest's start, they take less than a minute. */
const NEAREST = { tests: 5, ms: 40_000 };
/** The tests that a mutation must also pass to count as survived. */
const WIDER = { tests: 12, ms: 120_000 };

const root = process.cwd();
const folder = join(root, RECORD);
await mkdir(folder, { recursive: true });
const flags = ['--selectProjects=node', '--maxWorkers=2', ...process.argv.slice(2)];
const child = spawn('npm', ['run', '-s', 'jest', '--', ...flags], {
  stdio: 'inherit',
  env: { ...process.env, RECORD_TESTS: folder },
});
await once(child, 'close');

const names = await readdir(folder);
const all = await Promise.all(
  names.map(async (name) => {
    const file = JSON.parse(await readFile(join(folder, name), 'utf8')) as RecordedFile;
    return { ...file, blocks: new Set([...file.outside, ...file.tests.flatMap(({ blocks }) => blocks)]) };
  }),
);
const recorded = all.filter(({ test }) => existsSync(test));
recorded.sort((a, b) => (a.test < b.test ? -1 : 1));
const tests = recorded.map(({ test }) => test);
const lines: string[] = [];
for (const file of listCore(root)) {
  const text = await readFile(file, 'utf8');
  const blocks = findBlocks(file, text);
  const places = findMutations(file, text).map(({ start }) => blocksAround(blocks, start)[0]?.id ?? '');
  const nearest = choose(places, NEAREST, []);
  if (nearest.length === 0) continue;
  const sets = [nearest, choose(places, WIDER, nearest)];
  lines.push(
    `${JSON.stringify(file)}: ${JSON.stringify(sets.map((set) => set.map((test) => tests.indexOf(test))))}`,
  );
}
const written = `{\n"tests": ${JSON.stringify(tests, null, 1)},\n"files": {\n${lines.join(',\n')}\n}\n}\n`;
await writeFile('tests/mutate/feature-tests.json', written);

/** Greedy: repeatedly takes the test file that adds most coverage for its time, within the limits. */
function choose(places: string[], limits: typeof NEAREST, without: string[]): string[] {
  const running = recorded.flatMap(({ test, ms, blocks }) => {
    const run = new Set(places.filter((place) => blocks.has(place)));
    return run.size > 0 ? [{ test, ms, run }] : [];
  });
  const frequency = new Map(
    places.map((place) => [place, running.filter(({ run }) => run.has(place)).length]),
  );
  const times = new Map<string, number>();
  const chosen: string[] = [];
  let ms = 0;
  for (;;) {
    const [best] = running
      .filter(({ test }) => !chosen.includes(test) && !without.includes(test))
      .filter((each) => ms + each.ms <= limits.ms)
      .map((each) => ({ ...each, worth: runWorth(each.run) / (2_000 + each.ms) }))
      .sort((a, b) => b.worth - a.worth);
    if (!best || best.worth === 0 || chosen.length === limits.tests) return chosen;
    chosen.push(best.test);
    ms += best.ms;
    for (const place of best.run) times.set(place, (times.get(place) ?? 0) + 1);
  }

  /** A test of code that few others run most likely asserts on it. */
  function runWorth(run: Set<string>): number {
    return [...run].reduce(
      (sum, place) => sum + 1 / (1 + (times.get(place) ?? 0)) ** 2 / (frequency.get(place) ?? 1),
      0,
    );
  }
}
