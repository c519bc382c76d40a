import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { editFile } from '../../e2e/harness/edit-file.ts';

/** A team's repository, in a folder outside of this one. */
export interface OwnRepository {
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Runs an installed program there. @throws Error with its output on failure. */
  run(program: string, ...args: string[]): Promise<string>;
  /** `npm install`, with one retry because downloads may fail. */
  install(): Promise<void>;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  read(file: string): Promise<string>;
  /** Replaces a text in a file. @throws Error if it does not occur exactly once. */
  edit(file: string, from: string, to: string): Promise<void>;
  remove(): Promise<void>;
}

/** @param env of its programs: `NpmRegistry.env`, and the site's URLs. */
export async function createOwnRepository(env: Readonly<Record<string, string>>): Promise<OwnRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'site-team-'));
  const installed = join(folder, 'node_modules/.bin');
  const seen = { ...env, PATH: `${installed}${delimiter}${env['PATH'] ?? ''}` };
  const options = { cwd: folder, env: seen, maxBuffer: 64 * 1024 * 1024 };
  const run: OwnRepository['run'] = (program, ...args) =>
    new Promise((resolve, reject) => {
      execFile(program, args, options, (error, stdout, stderr) => {
        if (error) reject(new Error(`${program} ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error }));
        else resolve(stdout);
      });
    });
  return {
    folder,
    env: seen,
    run,
    async install() {
      await run('npm', 'install').catch(() => run('npm', 'install'));
    },
    async write(files) {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
    },
    read: (file) => readFile(join(folder, file), 'utf8'),
    edit: (file, from, to) => editFile(join(folder, file), from, to),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
