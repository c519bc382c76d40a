import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/**
 * For each source file the tests that run most of it, and others, as indexes into the list. Written by `npm run
 * mutate:record`.
 */
interface FeatureTests {
  tests: string[];
  files: Record<string, [nearest: number[], wider: number[]]>;
}

/** More test files would take longer than a minute. */
const MAX_NEAREST = 6;

/**
 * The tests of a source file. The nearest are the test file next to it, the tests of its folder that import it
 * directly, and its recorded feature tests. Without recorded ones, they are the tests of its package that import it
 * through the fewest modules. The wider tests are other recorded ones.
 *
 * @param files every source and test file of the repository, relative to its root.
 * @returns finds the tests of a file, the nearest first.
 */
export function createNearestTests(
  root: string,
  files: string[],
): (file: string) => { nearest: string[]; wider: string[] } {
  const known = new Set(files);
  const importers = findImporters(root, files);
  const recorded = JSON.parse(
    readFileSync(join(root, 'tests/mutate/feature-tests.json'), 'utf8'),
  ) as FeatureTests;
  return (file) => {
    const nextTo = ['.test.ts', '.test.tsx'].map((ending) => file.replace(/\.tsx?$/, ending));
    const direct = [...(importers.get(file) ?? [])].filter((each) => dirname(each) === dirname(file));
    const [feature, wider] = (recorded.files[file] ?? []).map((places) =>
      places.flatMap((place) => recorded.tests[place] ?? []),
    );
    const all = [...new Set([...nextTo, ...direct, ...(feature ?? byDistance(file, importers))])];
    const nearest = all.filter((each) => isTest(each) && known.has(each)).slice(0, MAX_NEAREST);
    return { nearest, wider: (wider ?? []).filter((each) => known.has(each) && !nearest.includes(each)) };
  };
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

function packageFolder(file: string): string {
  return file.slice(0, file.indexOf('/src/'));
}

function byDistance(file: string, importers: Map<string, Set<string>>): string[] {
  const seen = new Set([file]);
  // Iterating over a set includes values added during the iteration: transitive importers.
  for (const each of seen) importers.get(each)?.forEach((importer) => seen.add(importer));
  return [...seen].filter((each) => isTest(each) && packageFolder(each) === packageFolder(file));
}

/** A module that another process runs. */
const RUN_APART = /import\.meta\.dirname, '(\w[^']*\.ts)'/g;

/** Module → the modules that import it or start it in another process. */
function findImporters(root: string, files: string[]): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const imports = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
    const started = [...text.matchAll(RUN_APART)].map(([, path]) => `./${path}`);
    for (const fileName of [...imports, ...started]) {
      if (!fileName.startsWith('.')) continue;
      const imported = normalize(join(dirname(file), fileName));
      importers.set(imported, (importers.get(imported) ?? new Set()).add(file));
    }
  }
  return importers;
}
