import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm test`: every check of the repository, one after the other, and one line at the end that adds them up. A check that
 * is not a Jest run (lint, types, sizes …) counts as one test.
 */
interface Step {
  name: string;
  /** The npm script that does it. */
  script: string;
  /** A Jest run reports its own numbers. */
  jest?: boolean;
}

const steps: Step[] = [
  { name: 'lint', script: 'lint:code' },
  { name: 'format', script: 'lint:format' },
  { name: 'imports', script: 'lint:imports' },
  { name: 'unused code', script: 'lint:unused' },
  { name: 'types', script: 'typecheck' },
  { name: 'unit, service and contract tests', script: 'test:unit', jest: true },
  { name: 'build', script: 'build' },
  { name: 'sizes', script: 'size' },
  { name: 'browser tests', script: 'test:e2e', jest: true },
];

let passed = 0;
let failed = 0;
const scratch = await mkdtemp(join(tmpdir(), 'site-test-'));
for (const step of steps) {
  process.stdout.write(`\n── ${step.name}\n`);
  const report = join(scratch, 'jest.json');
  const code = await run(step, report);
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

function run({ script, jest = false }: Step, report: string): Promise<number> {
  const args = jest ? ['--', '--json', `--outputFile=${report}`] : [];
  return new Promise((resolve) => {
    // Jest writes its report to standard output as well when it is asked for JSON: only standard error is for people.
    const child = spawn('npm', ['run', '--silent', script, ...args], {
      stdio: ['ignore', jest ? 'ignore' : 'inherit', 'inherit'],
      env: { ...process.env, NODE_ENV: jest ? 'test' : (process.env['NODE_ENV'] ?? '') },
      shell: process.platform === 'win32',
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
