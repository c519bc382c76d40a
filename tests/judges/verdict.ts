import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../e2e/harness/site.ts';

/** The input of the validators. */
export interface Judged {
  site: Site;
  /** The folder for their output. */
  folder: string;
  /** A folder with the HTML of each page from the edge, of the pages of the forms service, and of emails. */
  pages: string;
  /** The paths of the site's pages. */
  paths: string[];
  /** The forms service's files in `pages`. */
  documents: string[];
}

/** The result of a validator. */
export interface Verdict {
  judge: string;
  /** The amount of validated input, such as "17 pages". */
  looked: string;
  problems: string[];
  /** Why it was skipped. */
  skipped?: string;
}

/** Where their packages are. */
const here = import.meta.dirname;

/** The file of a package of the judges. */
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
