import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** A folder outside of this repository, with files of a team's own. */
export interface OwnRepository {
  folder: string;
  /** Runs a program there, with what is installed there. @throws Error with all that it wrote, when it fails. */
  run(program: string, ...args: string[]): Promise<string>;
  /** `npm install`. What it downloads may fail once: then once more. */
  install(): Promise<void>;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  remove(): Promise<void>;
}

/** @param env what its programs see: `NpmRegistry.env`. */
export async function createOwnRepository(env: Readonly<Record<string, string>>): Promise<OwnRepository> {
  const folder = await mkdtemp(join(tmpdir(), 'site-team-'));
  const installed = join(folder, 'node_modules/.bin');
  const options = {
    cwd: folder,
    env: { ...env, PATH: `${installed}${delimiter}${env['PATH'] ?? ''}` },
    maxBuffer: 64 * 1024 * 1024,
  };
  const run: OwnRepository['run'] = (program, ...args) =>
    new Promise((resolve, reject) => {
      execFile(program, args, options, (error, stdout, stderr) => {
        if (error) reject(new Error(`${program} ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error }));
        else resolve(stdout);
      });
    });
  return {
    folder,
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
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
