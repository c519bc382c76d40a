/**
 * Applies one small change at a time to lines of the core in a copy of the checkout, runs the nearest tests, and prints the
 * changes that no test noticed. `npm run mutate -- --since <commit>` takes the lines that differ from a commit,
 * `npm run mutate -- --sample 60 --seed 7` a sample of all lines, and `--only` those of some files, folders or `file:line`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '@site/server/testing/start-postgres';
import { copyCheckout } from '../e2e/harness/checkout-copy.ts';
import { git, listCore, listSources } from './core.ts';
import { mutationsOf, type Mutation } from './mutations.ts';
import { createNearestTests } from './nearest-tests.ts';
import { createTypeCheck } from './type-check.ts';

/** A change may cause an endless loop. */
const TEST_LIMIT_MS = 300_000;

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

type Outcome = 'killed' | 'limit' | 'survived' | 'untested';
interface Result {
  mutation: Mutation;
  outcome: Outcome;
  /** The test files that noticed it. */
  killers: string[];
}

const root = process.cwd();
const nearestTests = createNearestTests(root, listSources(root));
const compiles = createTypeCheck(root);
const giveUpAt = Date.now() + Number(options.minutes) * 60_000;

const candidates = listCore(root).flatMap((file) =>
  mutationsOf(file, readFileSync(join(root, file), 'utf8')),
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
let taken = 0;
if (wanted > 0) {
  const postgres = await startPostgres();
  process.env['TEST_POSTGRES'] = postgres.url;
  const copies = await Promise.all(Array.from({ length: Number(options.jobs) }, () => copyCheckout()));
  try {
    await Promise.all(copies.map((copy) => work(copy.root)));
    await report(copies[0]?.root ?? root);
  } finally {
    await Promise.all(copies.map((copy) => copy.remove()));
    await postgres.stop();
  }
}

async function work(copy: string): Promise<void> {
  while (taken < wanted && Date.now() < giveUpAt) {
    const mutation = queue.shift();
    if (!mutation) return;
    taken += 1;
    if (!compiles(mutation)) {
      taken -= 1; // The compiler notices it. Another one takes its place.
      continue;
    }
    const result = await tryOne(copy, mutation);
    results.push(result);
    const { file, line, kind, change } = mutation;
    process.stdout.write(`${result.outcome.padEnd(9)} ${file}:${line} ${kind}: ${change}\n`);
  }
}

async function tryOne(copy: string, mutation: Mutation): Promise<Result> {
  const { nearest, wider } = nearestTests(mutation.file);
  if (nearest.length === 0) return { mutation, outcome: 'untested', killers: [] };
  const path = join(copy, mutation.file);
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.slice(0, mutation.start) + mutation.replacement + text.slice(mutation.end));
  const { failed, isOverLimit } = await runTests(copy, nearest);
  // An endless loop shows in the nearest tests: the limit says nothing about the wider ones.
  if (failed.length === 0 && !isOverLimit && wider.length > 0)
    failed.push(...(await runTests(copy, wider)).failed);
  await writeFile(path, text);
  if (isOverLimit) return { mutation, outcome: 'limit', killers: [] };
  return { mutation, outcome: failed.length > 0 ? 'killed' : 'survived', killers: failed };
}

/** @returns the test files that failed. */
async function runTests(copy: string, tests: string[]): Promise<{ failed: string[]; isOverLimit: boolean }> {
  const output = join(copy, 'mutate-report.json');
  await rm(output, { force: true });
  const sequencer = join(copy, 'tests/mutate/given-order.mjs');
  const flags = [
    '--selectProjects',
    'node',
    'browser',
    '--runInBand',
    '--bail',
    `--testSequencer=${sequencer}`,
  ];
  const child = spawn(
    'npm',
    ['run', '-s', 'jest', '--', ...flags, '--json', `--outputFile=${output}`, '--runTestsByPath', ...tests],
    { cwd: copy, stdio: 'ignore', detached: true, env: { ...process.env, TEST_ORDER: tests.join(' ') } },
  );
  const limit = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), TEST_LIMIT_MS);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(limit);
  const isOverLimit = signal === 'SIGKILL';
  if (isOverLimit || code === 0) return { failed: [], isOverLimit };
  const { testResults = [] } = JSON.parse(await readFile(output, 'utf8').catch(() => '{}')) as {
    testResults?: { name: string; status: string }[];
  };
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
  // A process that ended without a report was ended by the change.
  return {
    failed: failed.length > 0 ? failed.map((name) => name.slice(copy.length + 1)) : tests,
    isOverLimit,
  };
}

async function report(copy: string): Promise<void> {
  const killers = [...new Set(results.flatMap((result) => result.killers))];
  const unreliable = new Set<string>();
  // `--bail` stops at the first file that fails.
  for (let rest = killers; rest.length > 0;) {
    const { failed } = await runTests(copy, rest);
    if (failed.length === 0) break;
    failed.forEach((file) => unreliable.add(file));
    rest = rest.filter((file) => !unreliable.has(file));
  }
  const counted = results.filter(
    ({ outcome, killers: by }) => outcome !== 'killed' || by.some((file) => !unreliable.has(file)),
  );
  const survivors = counted.filter(({ outcome }) => outcome === 'survived' || outcome === 'untested');
  const overLimit = counted.filter(({ outcome }) => outcome === 'limit').length;
  const killed = counted.length - survivors.length;
  const lines = survivors
    .sort((a, b) => (a.mutation.file < b.mutation.file ? -1 : 1))
    .map(({ mutation: { file, line, kind, change } }) => `  ${file}:${line} ${kind}: ${change}`);
  if (unreliable.size > 0) lines.push(`Tests that fail without a change: ${[...unreliable].join(', ')}`);
  process.stdout.write(
    `\nNo test noticed:\n${lines.join('\n')}\n\nseed ${options.seed}: ${counted.length} changes, ${killed} noticed ` +
      `(${((100 * killed) / counted.length).toFixed(1)} %), ${overLimit} of them by the time limit\n`,
  );
}

/** File → its lines that differ from a commit, in the work tree as it is. */
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

/** The same order for the same seed (mulberry32). */
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
