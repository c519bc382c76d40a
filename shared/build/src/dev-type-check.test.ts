import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkTypes, type TypeCheck } from './dev-type-check.ts';

let folder: string;
let check: TypeCheck;
let reports: string[][];
let onReport: () => void;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'site-types-')));
  const compilerOptions = { strict: true, types: [], lib: ['ES2023'], allowImportingTsExtensions: true };
  await mkdir(join(folder, 'src'));
  await write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
  await write('src/inner.ts', 'export const inner = 1;');
  await write('src/page.ts', 'import { inner } from "./inner.ts"; export const page: number = inner;');
  reports = [];
  onReport = () => undefined;
  check = checkTypes([folder], (problems) => {
    reports.push(problems);
    onReport();
  });
  check.hold(false);
  await report((problems) => problems.length === 0);
});
afterAll(async () => {
  check.close();
  await rm(folder, { recursive: true });
});

const write = (path: string, text: string) => writeFile(join(folder, path), text);

/** Resolves with the next matching report. @throws Error with all reports after 30 seconds. */
function report(isWanted: (problems: string[]) => boolean): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let next = reports.length;
    const fail = () => reject(new Error(`No report fits. The reports are ${JSON.stringify(reports)}.`));
    setTimeout(fail, 30_000).unref();
    onReport = () => {
      for (; next < reports.length; next += 1) {
        const problems = reports[next] ?? [];
        if (isWanted(problems)) resolve(problems);
      }
    };
  });
}

test('a new file is checked before it is imported, and a removed one is not', async () => {
  const added = report((problems) => problems.length > 0);
  await write('src/later.ts', 'export const later: string = 1;');
  expect(await added).toEqual([expect.stringContaining('later.ts')]);
  const removed = report((problems) => problems.length === 0);
  await rm(join(folder, 'src/later.ts'));
  expect(await removed).toEqual([]);
});

test('tests are not checked', async () => {
  const marked = report((problems) => problems.length > 0);
  await write('src/page.test.ts', 'export const wrong: string = 1;');
  await write('src/marker.ts', 'export const marker: string = 1;');
  expect(await marked).toEqual([expect.stringContaining('marker.ts')]);
  await rm(join(folder, 'src/marker.ts'));
});

test('a renamed file leaves no error behind', async () => {
  const marked = report((problems) => problems.join().includes('page.ts'));
  await rename(join(folder, 'src/inner.ts'), join(folder, 'src/inner2.ts'));
  await write(
    'src/page.ts',
    'import { inner } from "./inner2.ts"; export const page: number = inner; export const marker: string = 1;',
  );
  expect(await marked).toEqual([expect.stringContaining('page.ts')]);
});
