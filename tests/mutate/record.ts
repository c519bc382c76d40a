/**
 * Records which tests run which source files: `npm run mutate:record` runs the `node` tests with coverage and writes
 * `feature-tests.json`. For each source file it lists the few tests that run most of the places where it can be mutated.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listCore } from './core.ts';
import { mutationsOf } from './mutations.ts';
import type { Coverage } from './record-coverage.ts';

/** With the start of Jest they end within a minute. */
const NEAREST = { tests: 5, ms: 40_000 };
/** The tests that a change has to pass, too, before it counts as unnoticed. */
const WIDER = { tests: 12, ms: 120_000 };

const folder = process.argv[2] ?? (await record());
const names = await readdir(folder);
const coverages = await Promise.all(
  names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as Coverage),
);
const tests = coverages.map(({ test }) => test).sort();
const files: string[] = [];
for (const file of listCore(process.cwd())) {
  const places = mutationsOf(file, await readFile(file, 'utf8')).map(({ start }) => start);
  const nearest = choose(places, file, NEAREST, []);
  if (nearest.length === 0) continue;
  const sets = [nearest, choose(places, file, WIDER, nearest)];
  files.push(
    `${JSON.stringify(file)}: ${JSON.stringify(sets.map((set) => set.map((test) => tests.indexOf(test))))}`,
  );
}
const recorded = `{\n"tests": ${JSON.stringify(tests, null, 1)},\n"files": {\n${files.join(',\n')}\n}\n}\n`;
await writeFile('tests/mutate/feature-tests.json', recorded);
if (process.argv[2] === undefined) await rm(folder, { recursive: true });

async function record(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'coverage-'));
  const child = spawn('npm', ['run', '-s', 'jest', '--', '--selectProjects=node', '--maxWorkers=2'], {
    stdio: 'inherit',
    env: { ...process.env, RECORD_COVERAGE: made },
  });
  await once(child, 'close');
  return made;
}

/** Takes the test that adds most for its time, until there is none or the limits are reached. */
function choose(places: number[], file: string, limits: typeof NEAREST, without: string[]): string[] {
  const runs = coverages.flatMap(({ test, ms, ranges }) => {
    const run = new Set(places.filter((place) => isRun(place, ranges[file] ?? [])));
    return run.size > 0 ? [{ test, ms, run }] : [];
  });
  const frequency = new Map(places.map((place) => [place, runs.filter(({ run }) => run.has(place)).length]));
  const times = new Map<number, number>();
  const chosen: string[] = [];
  let ms = 0;
  for (;;) {
    const [best] = runs
      .filter(({ test }) => !chosen.includes(test) && !without.includes(test))
      .filter((each) => ms + each.ms <= limits.ms)
      .map((each) => ({ ...each, worth: worthOf(each.run) / (2_000 + each.ms) }))
      .sort((a, b) => b.worth - a.worth);
    if (!best || best.worth === 0 || chosen.length === limits.tests) return chosen;
    chosen.push(best.test);
    ms += best.ms;
    for (const place of best.run) times.set(place, (times.get(place) ?? 0) + 1);
  }

  /** A test that runs what few others run asserts on it, most likely. */
  function worthOf(run: Set<number>): number {
    return [...run].reduce(
      (sum, place) => sum + 1 / (1 + (times.get(place) ?? 0)) ** 2 / (frequency.get(place) ?? 1),
      0,
    );
  }
}

/** The innermost range around a place, the last one that holds it, says how often it was run. */
function isRun(place: number, ranges: Coverage['ranges'][string]): boolean {
  return (ranges.findLast(([start, end]) => start <= place && place < end)?.[2] ?? 0) > 0;
}
