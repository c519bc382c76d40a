import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError } from './cli-error.ts';
import { fileProblem } from './files.ts';
import { resolveBuildFile } from './build-package.ts';
import type { LocalApp } from './repository.ts';

/**
 * The build strips types without checking them. Tests are excluded: they are not published. @param compiler a Node
 * program with the arguments of `tsc`. @throws CliError `types_invalid` with the compiler's output,
 * `builder_missing`, `file_unusable`, `interrupted`.
 */
export async function checkTypes(
  root: string,
  { name: app, folder }: LocalApp,
  signal?: AbortSignal,
  compiler = nativeCompiler(),
): Promise<void> {
  const tsconfig = resolveBuildFile(folder, 'tsconfig.json');
  if (tsconfig === null) {
    throw new CliError(
      'builder_missing',
      `"${folder}" has no package @site/build, which builds the app and configures its type check: run "npm ` +
        'install", or add it to devDependencies.',
    );
  }
  // In node_modules, which tools do not treat as sources. The incremental state is kept there too, so a
  // second run is fast.
  const cache = join(root, 'node_modules/.cache/site-types');
  const project = join(cache, `${app}.json`);
  const own = join(folder, 'tsconfig.json');
  const hasOwn = existsSync(own);
  const settings = {
    extends: hasOwn ? own : tsconfig,
    compilerOptions: {
      incremental: true,
      tsBuildInfoFile: join(cache, `${app}.tsbuildinfo`),
      ...(hasOwn ? {} : { types: installedTypes(folder) }),
    },
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
    // The compiler's native binary is an optional package.
    throw new CliError(
      'builder_missing',
      'The TypeScript compiler of the command line does not run: install it again with "npm install", without ' +
        `--omit=optional. Its output:\n${answer}`,
    );
  }
  throw new CliError(
    'types_invalid',
    `${app} has type errors; nothing was published. Fix these first:\n${answer}`,
  );
}

/** A remote without tests of the template has no types of Jest. */
function installedTypes(folder: string): string[] {
  const { resolve } = createRequire(join(folder, 'package.json'));
  return ['node', 'jest'].filter((name) => {
    try {
      return resolve(`@types/${name}/package.json`) !== '';
    } catch {
      return false;
    }
  });
}

function nativeCompiler(): string {
  const { resolve } = createRequire(import.meta.url);
  return join(dirname(resolve('typescript/package.json')), 'bin/tsc');
}

function compile(args: string[], root: string, signal: AbortSignal | undefined): Promise<string | null> {
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, ...(signal ? { signal } : {}) };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve(error ? `${stdout}${stderr}`.trim() || error.message : null);
    });
  });
}
