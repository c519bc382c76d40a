/**
 * Mutation tests: applies one mutation at a time to the core in a copy of the checkout, runs the nearest tests, and
 * prints the mutations that survive. `npm run mutate -- --since <commit>` mutates the lines that differ from a commit,
 * `npm run mutate -- --sample 60 --seed 7` a sample of all lines, and `--only` those of some files, folders or
 * `file:line`.
 */
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '@site/server/testing/start-postgres';
import { copyCheckout } from '../e2e/harness/checkout-copy.ts';
import { git, listCore, listSources } from './core.ts';
import { findMutations, type Mutation } from './mutations.ts';
import { createNearestTests } from './nearest-tests.ts';
import { readRecordedTests, type TestSelection } from './recorded-tests.ts';
import { createTestRunner, type TestRunner } from './test-runner.ts';
import { createTypeCheck } from './type-check.ts';

const { values: options } = parseArgs({
  options: {
    since: { type: 'string' },
    only: { type: 'string' },
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '15' },
    jobs: { type: 'string', default: '2' },
  },
});

/**
 * `limit`: the tests time out only with the mutation. `undecided`: they time out without it as well, because the
 * machine is busy.
 */
type Outcome = 'killed' | 'limit' | 'survived' | 'untested' | 'undecided';
interface Result {
  mutation: Mutation;
  outcome: Outcome;
}

const root = process.cwd();
const recordedTests = readRecordedTests(root);
const nearestTests = createNearestTests(root, listSources(root));
const compiles = createTypeCheck(root);
const giveUpAt = Date.now() + Number(options.minutes) * 60_000;

const candidates = listCore(root).flatMap((file) =>
  findMutations(file, readFileSync(join(root, file), 'utf8')),
);
const changed = options.since === undefined ? undefined : changedLines(options.since);
const only = options.only?.split(',') ?? [''];
const queue = shuffled(
  candidates.filter(
    ({ file, line }) =>
      only.some((each) => (/:\d+$/.test(each) ? `${file}:${line}` === each : file.startsWith(each))) &&
      (changed === undefined || changed.get(file)?.has(line) === true),
  ),
  Number(options.seed),
);
const wanted = Math.min(Number(options.sample), queue.length);
process.stdout.write(`${wanted} of ${queue.length} possible changes, seed ${options.seed}\n`);

const results: Result[] = [];
/** Tests that fail without a mutation as well. */
const unreliable = new Set<string>();
let taken = 0;
if (wanted > 0) {
  const postgres = await startPostgres();
  process.env['TEST_POSTGRES'] = postgres.url;
  const copies = await Promise.all(Array.from({ length: Number(options.jobs) }, () => copyCheckout()));
  try {
    await Promise.all(copies.map((copy) => work(copy.root)));
    report();
  } finally {
    await Promise.all(copies.map((copy) => copy.remove()));
    await postgres.stop();
  }
}

async function work(copy: string): Promise<void> {
  const runner = createTestRunner(copy);
  while (taken < wanted && Date.now() < giveUpAt) {
    const mutation = queue.shift();
    if (!mutation) break;
    taken += 1;
    if (!compiles(mutation)) {
      taken -= 1; // the compiler detects it, so another one is tried
      continue;
    }
    const { outcome, by } = await tryOne(copy, runner, mutation);
    results.push({ mutation, outcome });
    const { file, line, kind, change } = mutation;
    process.stdout.write(`${outcome.padEnd(9)} ${file}:${line} ${kind}: ${change}${by ? ` | ${by}` : ''}\n`);
  }
  runner.stop();
}

async function tryOne(
  copy: string,
  runner: TestRunner,
  mutation: Mutation,
): Promise<{ outcome: Outcome; by?: string }> {
  const steps = testSteps(mutation);
  const path = join(copy, mutation.file);
  const text = await readFile(path, 'utf8');
  const changed = text.slice(0, mutation.start) + mutation.replacement + text.slice(mutation.end);
  for (const step of steps) {
    await runner.load(step.files);
    await writeFile(path, changed);
    const result = await runner.run(mutation.file, step);
    await writeFile(path, text);
    if (result.is === 'passed') continue;
    const file = result.is === 'failed' ? [result.file] : step.files;
    // Checks whether the machine is busy, or a test depends on others.
    await runner.load(file);
    const unchanged = await runner.run(null, { ...step, files: file });
    if (result.is === 'limit') return { outcome: unchanged.is === 'limit' ? 'undecided' : 'limit' };
    if (unchanged.is === 'passed') return { outcome: 'killed', by: `${result.file} ${result.name}` };
    unreliable.add(`${result.file} ${result.name}`);
  }
  return { outcome: steps.length === 0 ? 'untested' : 'survived' };
}

/** The tests to run, step by step until one fails. */
function testSteps(mutation: Mutation): TestSelection[] {
  const { nearest, wider } = nearestTests(mutation.file);
  const recorded = recordedTests?.find(mutation) ?? [];
  const whole = (files: string[]) => ({ files, names: [] });
  // Code in separate processes is not recorded.
  if (recorded.length === 0) return [nearest, wider].filter((files) => files.length > 0).map(whole);
  // Tests newer than the record, and those of `browser`, which are not recorded.
  const more = nearest.filter((test) => !recordedTests?.isCurrent(test));
  return more.length > 0 ? [...recorded, whole(more)] : recorded;
}

function report(): void {
  const counted = results.filter(({ outcome }) => outcome !== 'undecided');
  const survivors = counted.filter(({ outcome }) => outcome === 'survived' || outcome === 'untested');
  const overLimit = counted.filter(({ outcome }) => outcome === 'limit').length;
  const killed = counted.length - survivors.length;
  const lines = survivors
    .sort((a, b) => (a.mutation.file < b.mutation.file ? -1 : 1))
    .map(({ mutation: { file, line, kind, change } }) => `  ${file}:${line} ${kind}: ${change}`);
  if (unreliable.size > 0) lines.push(`Tests that fail without a change: ${[...unreliable].join(', ')}`);
  process.stdout.write(
    `\nNo test noticed:\n${lines.join('\n')}\n\nseed ${options.seed}: ${counted.length} changes, ${killed} noticed ` +
      `(${((100 * killed) / counted.length).toFixed(1)} %), ${overLimit} of them by the time limit, ` +
      `${results.length - counted.length} not counted\n`,
  );
}

/** File → its lines in the work tree that differ from a commit. */
function changedLines(commit: string): Map<string, Set<number>> {
  const changed = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const text of git(root, 'diff', '-U0', '--no-ext-diff', commit).split('\n')) {
    const [, file] = /^\+\+\+ b\/(.*)$/.exec(text) ?? [];
    if (file !== undefined) changed.set(file, (lines = new Set()));
    const [, first, count = '1'] = /^@@ .* \+(\d+)(?:,(\d+))? @@/.exec(text) ?? [];
    for (let at = 0; first !== undefined && at < Number(count); at += 1) lines.add(Number(first) + at);
  }
  return changed;
}

/** Deterministic for a seed (mulberry32). */
function shuffled<T>(values: T[], seed: number): T[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return values
    .map((value) => ({ value, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
