import { execFile } from 'node:child_process';
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { editFile } from './edit-file.ts';
import { repository } from './site.ts';

/** A second checkout of the repository, like a team's clone. */
export interface CheckoutCopy {
  root: string;
  /** Replaces a text in a file. @throws Error if it does not occur exactly once. */
  edit(file: string, from: string, to: string): Promise<void>;
  /** Like `npm run build -w <app>`, without a type check. */
  build(app: string): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Copies this checkout with its builds, so that a start there rebuilds only edited apps. Packages of the npm registry
 * are links to the originals; the workspaces (`@site/*` and the apps) are copies.
 */
export async function copyCheckout(): Promise<CheckoutCopy> {
  const root = await mkdtemp(join(tmpdir(), 'site-checkout-'));
  const copied = (path: string) => !/^(node_modules|dist\..*|\.data|\.git)$/.test(basename(path));
  await cp(repository, root, { recursive: true, filter: copied });
  for (const folder of ['', ...(await workspaces())]) await linkPackages(folder, root);
  await takeChecked(root);
  return {
    root,
    edit: (file, from, to) => editFile(join(root, file), from, to),
    async build(app) {
      const builder = join(root, 'shared/build/bin/site-build.mjs');
      // Jest's NODE_ENV must not affect the build.
      const env = { ...process.env, NODE_ENV: '' };
      await promisify(execFile)(process.execPath, [builder], { cwd: join(root, app), env });
    },
    async remove() {
      await leaveChecked(root);
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The compiler's incremental state of an app, by file hashes: `site publish` checks types. */
const checkedIn = (root: string) => join(root, 'node_modules/.cache/site-types');

/**
 * Gives a copy the compiler state of earlier copies of this run, so that it checks only differences, like a checkout in
 * use.
 */
async function takeChecked(root: string): Promise<void> {
  const kept = process.env['CHECKED_TYPES'];
  if (kept !== undefined) await cp(kept, checkedIn(root), { recursive: true });
}

/** Saves the compiler state. The file is moved, so that a concurrent reader gets one complete version. */
async function leaveChecked(root: string): Promise<void> {
  const kept = process.env['CHECKED_TYPES'];
  if (kept === undefined) return;
  const names = await readdir(checkedIn(root)).catch(() => []);
  for (const name of names.filter((each) => each.endsWith('.tsbuildinfo')))
    await rename(join(checkedIn(root), name), join(kept, name));
}

/** Folders with their own packages, relative to the repository. */
async function workspaces(): Promise<string[]> {
  const { workspaces: patterns } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  const found = await Promise.all(
    patterns.map(async (pattern) => {
      const [parent = '', rest] = pattern.includes('/') ? pattern.split('/') : ['', pattern];
      const names = await readdir(join(repository, parent));
      const prefix = rest?.replace('*', '') ?? '';
      return names.filter((name) => name.startsWith(prefix)).map((name) => join(parent, name));
    }),
  );
  return found.flat();
}

/** Relative links stay relative; everything else links to the original. */
async function linkPackages(folder: string, root: string): Promise<void> {
  const from = join(repository, folder, 'node_modules');
  const names = await readdir(from).catch(() => []);
  if (names.length === 0) return;
  const to = join(root, folder, 'node_modules');
  await mkdir(to, { recursive: true });
  for (const name of names) {
    if (['.federation', '.site', '.cache'].includes(name)) continue;
    const path = join(from, name);
    if ((await lstat(path)).isSymbolicLink()) await symlink(await readlink(path), join(to, name));
    else if (name === '.bin' || name === '@site')
      await cp(path, join(to, name), { recursive: true, verbatimSymlinks: true });
    else await symlink(path, join(to, name));
  }
}
