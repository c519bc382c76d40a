import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../e2e/harness/site.ts';

export interface Judged {
  site: Site;
  folder: string;
  pages: string;
  paths: string[];
  documents: string[];
}

export interface Verdict {
  judge: string;
  looked: string;
  problems: string[];
  skipped?: string;
}

const here = import.meta.dirname;

export const judgeFile = (path: string): string => join(here, 'node_modules', path);

/** Installs their packages in the versions of the lock file, if needed. @throws Error with npm's output. */
export async function installJudges(): Promise<void> {
  if (existsSync(judgeFile('.package-lock.json'))) return;
  process.stdout.write('installing the judges …\n');
  const { code, output } = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], here);
  if (code !== 0) throw new Error(`npm could not install the packages of tests/judges:\n${output}`);
}

/**
 * Runs a program. Never rejects, because a validator with findings exits with a code, too. `code` 127: the
 * program does not exist.
 */
export function run(
  program: string,
  args: string[],
  cwd: string = here,
): Promise<{ code: number; stdout: string; output: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error ? (error.code === 'ENOENT' ? 127 : Number(error.code ?? 1)) : 0;
      resolve({ code, stdout, output: `${stdout}${stderr}` });
    });
  });
}
