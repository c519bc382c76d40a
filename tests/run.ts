import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm test`: every check of the repository, and a summary line. A check other than a Jest run (lint, types, sizes …)
 * counts as one test.
 */
interface Step {
  name: string;
  script: string;
  /** A Jest run reports its own numbers. */
  jest?: boolean;
}

/** Static checks run in parallel with the build: most of them use one core. */
const sources: Step[] = [
  { name: 'lint and types', script: 'lint:code' },
  { name: 'format', script: 'lint:format' },
  { name: 'imports', script: 'lint:imports' },
  { name: 'unused code', script: 'lint:unused' },
  { name: 'prose', script: 'lint:prose' },
];
const apps: Step[] = [
  { name: 'build', script: 'build' },
  { name: 'sizes', script: 'size' },
];
/** These use all cores, and require the built apps. */
const stepsOfAllCores: Step[] = [
  { name: 'unit, service and contract tests', script: 'test:unit', jest: true },
  { name: 'browser tests', script: 'test:e2e', jest: true },
];

let passed = 0;
let failed = 0;
const scratch = await mkdtemp(join(tmpdir(), 'site-test-'));
await Promise.all([runAll(sources), runAll(apps)]);
await runAll(stepsOfAllCores);
await rm(scratch, { recursive: true, force: true });
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

async function runAll(sequence: Step[]): Promise<void> {
  for (const step of sequence) {
    process.stdout.write(`\n── ${step.name}\n`);
    const report = join(scratch, 'jest.json');
    const { code, output } = await run(step, report);
    const counts = step.jest ? await jestCounts(report) : { passed: 0, failed: 0 };
    passed += counts.passed;
    failed += counts.failed;
    // A failed run without a failed test (a crash, a broken suite) counts as a failure.
    if (code !== 0 && counts.failed === 0) failed += 1;
    if (code === 0 && !step.jest) passed += 1;
    process.stdout.write(`${output}${code === 0 ? 'ok' : 'FAILED'}: ${step.name}\n`);
  }
}

/** A Jest run prints its progress; the output of other steps is printed at their end, because two run in parallel. */
async function run(
  { script, jest = false }: Step,
  report: string,
): Promise<{ code: number; output: string }> {
  const args = jest ? ['--', '--json', `--outputFile=${report}`] : [];
  // With `--json` Jest also prints its report to standard output: only standard error is human-readable.
  const child = spawn('npm', ['run', '--silent', script, ...args], {
    stdio: jest ? ['ignore', 'ignore', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: jest ? 'test' : (process.env['NODE_ENV'] ?? '') },
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output };
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
