import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError } from './cli-error.ts';
import { fileProblem } from './file-problem.ts';
import { fileOfBuild } from './file-of-build.ts';
import type { LocalApp } from './repository.ts';

/**
 * Runs TypeScript's native compiler over an app and what it imports. The build, which needs the one in JavaScript, takes the types away
 * without looking at them. Tests are left out: they are not part of what is published.
 *
 * @param compiler a Node program that is called as `tsc` is.
 * @throws CliError `types_invalid` with the compiler's lines, `builder_missing`, `file_unusable`, `interrupted`.
 */
export async function checkTypes(
  root: string,
  { name: app, folder }: LocalApp,
  signal?: AbortSignal,
  compiler = nativeCompiler(),
): Promise<void> {
  const tsconfig = fileOfBuild(folder, 'tsconfig.json');
  if (tsconfig === null) {
    throw new CliError(
      'builder_missing',
      `"${folder}" has no package @site/build, which builds it and says how its types are checked: run "npm install", or add it to devDependencies.`,
    );
  }
  // In node_modules, which no tool takes for sources. What the compiler learned stays there too: a second run is fast.
  const cache = join(root, 'node_modules/.cache/site-types');
  const project = join(cache, `${app}.json`);
  const settings = {
    extends: tsconfig,
    compilerOptions: { incremental: true, tsBuildInfoFile: join(cache, `${app}.tsbuildinfo`) },
    include: [folder],
    exclude: ['node_modules', 'dist', '**/*.test.ts', '**/*.test.tsx'].map((path) => join(folder, path)),
  };
  try {
    await mkdir(cache, { recursive: true });
    await writeFile(project, JSON.stringify(settings));
  } catch (cause) {
    throw new CliError('file_unusable', `"${project}" cannot be written: ${fileProblem(cause)}.`, {
      cause,
    });
  }
  const answer = await compile([compiler, '--noEmit', '--pretty', 'false', '-p', project], root, signal);
  if (answer === null) return;
  if (signal?.aborted) {
    throw new CliError('interrupted', `Stopped; ${app} was not built and not published.`);
  }
  if (!/\berror TS\d+: /.test(answer)) {
    // Its program for this platform is an optional package.
    throw new CliError(
      'builder_missing',
      `The TypeScript compiler of the command line does not run: install it again with "npm install", without --omit=optional. It said:\n${answer}`,
    );
  }
  throw new CliError(
    'types_invalid',
    `${app} has type errors; nothing was published. Correct this first:\n${answer}`,
  );
}

function nativeCompiler(): string {
  const { resolve } = createRequire(import.meta.url);
  return join(dirname(resolve('typescript/package.json')), 'bin/tsc');
}

/** @returns what the compiler says, null when it is content. */
function compile(args: string[], root: string, signal: AbortSignal | undefined): Promise<string | null> {
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, ...(signal ? { signal } : {}) };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve(error ? `${stdout}${stderr}`.trim() || error.message : null);
    });
  });
}
