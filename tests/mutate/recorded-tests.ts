import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { blocksAround, findBlocks, moduleId } from './blocks.ts';
import type { Mutation } from './mutations.ts';
import type { RecordedFile } from './record-tests.ts';

/** Local to this checkout and not committed. Written by `npm run mutate:record`. */
export const RECORD = 'node_modules/.cache/mutate';

export interface TestSelection {
  files: string[];
  names: string[];
}

/** Each step runs if the previous one detected nothing. */
const STEPS = [
  { tests: 8, ms: 5_000 },
  { tests: 60, ms: 40_000 },
  { tests: 300, ms: 90_000 },
];
/** For code that runs outside of single tests: the number of whole files. */
const MOST_WHOLE = 4;

interface Found {
  test: string;
  name: string;
  cost: number;
  ms: number;
}

export interface RecordedTests {
  /** The tests that run the mutated code, step by step. Empty: no test runs it. */
  find(mutation: Mutation): TestSelection[];
  isCurrent(test: string): boolean;
}

/** @returns undefined without recordings. */
export function readRecordedTests(root: string): RecordedTests | undefined {
  const folder = join(root, RECORD);
  if (!existsSync(folder)) return undefined;
  const current = new Map<string, Set<string>>();
  const byBlock = new Map<string, Found[]>();
  const filesByBlock = new Map<string, { test: string; ms: number }[]>();
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { test, ms, tests, outside } = JSON.parse(readFileSync(path, 'utf8')) as RecordedFile;
    if (!existsSync(join(root, test)) || statSync(join(root, test)).mtimeMs > statSync(path).mtimeMs)
      continue;
    current.set(test, listWords(readFileSync(join(root, test), 'utf8')));
    for (const each of tests) {
      // Slow to open, and the same tests run on PostgreSQL.
      if (/\bon PGlite\b/.test(each.name)) continue;
      // A test that runs little code most likely asserts on it.
      const cost = each.blocks.length * (20 + each.ms);
      for (const block of each.blocks) push(byBlock, block, { test, name: each.name, cost, ms: each.ms });
    }
    for (const block of new Set([...outside, ...tests.flatMap(({ blocks }) => blocks)]))
      push(filesByBlock, block, { test, ms });
  }
  /** Tests that contain the rarer words of a line most likely assert on it. */
  function relevance(line: string): (test: string) => number {
    const all = [...current.values()];
    const weights = [...listWords(line)].map((word) => {
      const count = all.filter((words) => words.has(word)).length;
      return { word, weight: count === 0 ? 0 : Math.log(all.length / count) };
    });
    return (test) =>
      weights.reduce((sum, { word, weight }) => sum + (current.get(test)?.has(word) ? weight : 0), 0);
  }
  return {
    isCurrent: (test) => current.has(test),
    find({ file, start }) {
      const text = readFileSync(join(root, file), 'utf8');
      const blocks = findBlocks(file, text);
      const line = text.slice(text.lastIndexOf('\n', start) + 1, text.indexOf('\n', start));
      const [block] = blocksAround(blocks, start);
      // The effects of a module's top level show in any later code.
      const ids = !block || block.id === moduleId(file) ? blocks.map(({ id }) => id) : [block.id];
      const named = fromManyFiles(
        ids.flatMap((id) => byBlock.get(id) ?? []),
        relevance(line),
      );
      const steps: TestSelection[] = [];
      let rest = named;
      for (const { tests, ms } of STEPS) {
        let sum = 0;
        const chosen = rest.slice(0, tests).filter((each, index) => (sum += each.ms) < ms || index === 0);
        rest = rest.filter((each) => !chosen.includes(each));
        if (chosen.length > 0) steps.push(toSelection(chosen));
      }
      if (steps.length > 0) return steps;
      const whole = ids.flatMap((id) => filesByBlock.get(id) ?? []).sort((a, b) => a.ms - b.ms);
      const files = [...new Set(whole.map(({ test }) => test))].slice(0, MOST_WHOLE);
      return files.length > 0 ? [{ files, names: [] }] : [];
    },
  };
}

function listWords(text: string): Set<string> {
  return new Set(text.match(/[A-Za-z]\w{2,}/g));
}

/** The cheapest test of each file relative to its relevance, then the second one of each, and so on. */
function fromManyFiles(found: Found[], tells: (test: string) => number): Found[] {
  const different = [...new Map(found.map((each) => [`${each.test} ${each.name}`, each])).values()];
  const places = new Map<string, number>();
  return different
    .map((each) => ({ ...each, cost: each.cost / (1 + tells(each.test)) ** 2 }))
    .sort((a, b) => a.cost - b.cost)
    .map((each) => {
      const place = places.get(each.test) ?? 0;
      places.set(each.test, place + 1);
      return { each, place };
    })
    .sort((a, b) => a.each.cost * 2 ** a.place - b.each.cost * 2 ** b.place)
    .map(({ each }) => each);
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

function toSelection(chosen: { test: string; name: string }[]): TestSelection {
  return {
    files: [...new Set(chosen.map(({ test }) => test))],
    names: [...new Set(chosen.map(({ name }) => name))],
  };
}
