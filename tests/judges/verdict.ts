import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '../e2e/harness/site.ts';

/** What the judges look at. */
export interface Judged {
  site: Site;
  /** For what they write. */
  folder: string;
  /** A folder with the HTML of each page as the edge sent it, of the pages of the forms service, and of mails. */
  pages: string;
  /** The paths of the site's pages. */
  paths: string[];
  /** The files in `pages` that are of the forms service. */
  documents: string[];
}

/** What one of them says. */
export interface Verdict {
  judge: string;
  /** How much it looked at, such as "17 pages". */
  looked: string;
  problems: string[];
  /** Why it was not asked. */
  skipped?: string;
}

/** Where their packages are. */
const here = import.meta.dirname;

/** The file of a package of the judges. */
export const judgeFile = (path: string): string => join(here, 'node_modules', path);

/** Installs their packages, at the versions of the lock file, unless they are there. @throws Error with what npm said. */
export async function installJudges(): Promise<void> {
  if (existsSync(judgeFile('.package-lock.json'))) return;
  process.stdout.write('installing the judges …\n');
  const { code, output } = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], here);
  if (code !== 0) throw new Error(`npm could not install the packages of tests/judges:\n${output}`);
}

/** Runs a program. Never rejects: a judge that finds something ends with a code, too. `code` 127: there is no such program. */
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
