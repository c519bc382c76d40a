import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm test`: every check of the repository, one after the other, and one line at the end that adds them up. A check that
 * is not a Jest run (lint, types, sizes …) counts as one test.
 */
interface Step {
  name: string;
  /** Arguments for the pinned Node. */
  run: string[];
  /** A Jest run reports its own numbers. */
  jest?: boolean;
}

const tool = (path: string, ...args: string[]) => [path, ...args];
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];

const steps: Step[] = [
  { name: 'lint', run: tool('node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0') },
  {
    name: 'format',
    run: tool('node_modules/prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn'),
  },
  {
    name: 'imports',
    run: tool(
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      ...['--config', '.dependency-cruiser.cjs'],
      'shared',
      'services',
      'delivery',
      'shell',
      'tests',
      ...readdirSync('.').filter((name) => name.startsWith('mfe-')),
    ),
  },
  { name: 'unused code', run: tool('node_modules/knip/bin/knip.js') },
  { name: 'types', run: tool('node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json') },
  {
    name: 'unit, service and contract tests',
    run: [...jest, '--selectProjects', 'browser', 'node'],
    jest: true,
  },
  { name: 'build', run: tool('delivery/local/src/build.ts') },
  { name: 'sizes', run: tool('node_modules/size-limit/bin.js') },
  { name: 'browser tests', run: [...jest, '--selectProjects', 'e2e', '--runInBand'], jest: true },
];

let passed = 0;
let failed = 0;
const scratch = await mkdtemp(join(tmpdir(), 'site-test-'));
for (const step of steps) {
  process.stdout.write(`\n── ${step.name}\n`);
  const report = join(scratch, 'jest.json');
  const code = await run(step.jest ? [...step.run, '--json', `--outputFile=${report}`] : step.run);
  const counts = step.jest ? await jestCounts(report) : { passed: 0, failed: 0 };
  passed += counts.passed;
  failed += counts.failed;
  // A run that fails without a failed test (a crash, a broken suite) is a failure too.
  if (code !== 0 && counts.failed === 0) failed += 1;
  if (code === 0 && !step.jest) passed += 1;
  process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'}: ${step.name}\n`);
}
await rm(scratch, { recursive: true, force: true });
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function run(args: string[]): Promise<number> {
  return new Promise((resolve) => {
    // Jest writes its report to standard output as well when it is asked for JSON: only standard error is for people.
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', args.includes('--json') ? 'ignore' : 'inherit', 'inherit'],
      env: { ...process.env, NODE_ENV: args.includes('--json') ? 'test' : (process.env['NODE_ENV'] ?? '') },
    });
    child.on('exit', (code) => {
      resolve(code ?? 1);
    });
  });
}

async function jestCounts(report: string): Promise<{ passed: number; failed: number }> {
  const text = await readFile(report, 'utf8').catch(() => '');
  await rm(report, { force: true });
  if (!text) return { passed: 0, failed: 0 };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(text) as Record<
    string,
    number
  >;
  return { passed: numPassedTests ?? 0, failed: (numFailedTests ?? 0) + (numRuntimeErrorTestSuites ?? 0) };
}
