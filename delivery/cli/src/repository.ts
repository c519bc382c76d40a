import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { CliError } from './cli-error.ts';

export interface Place {
  root: string;
  ownApp: string | null;
}

export interface LocalApp {
  name: string;
  folder: string;
  buildCommand: string;
}

const CONFIGS = ['remote.config.ts', 'shell.config.ts'];

/**
 * The nearest folder with workspaces; else the nearest package, as a single app; else the folder itself, for commands
 * that need no sources. An app in another workspace folder (`apps/mfe-careers`) is its own repository.
 */
export function findPlace(folder: string): Place {
  const above = [...foldersAbove(folder)];
  const app = above.find(isApp);
  const top =
    above.find((each) => readPackage(each)?.workspaces !== undefined) ??
    above.find((each) => readPackage(each) !== null) ??
    folder;
  const root = app === undefined || localApps(top).some((one) => one.folder === app) ? top : app;
  const own = localApps(root).find((app) => `${folder}${sep}`.startsWith(`${app.folder}${sep}`));
  return { root, ownApp: own?.name ?? null };
}

/**
 * The single app, or the shell and every `mfe-…` folder. Folders without a package.json count only if none has one
 * (builds copied without sources): in a checkout they are left over from another branch.
 */
export function localApps(root: string): LocalApp[] {
  if (isApp(root)) {
    const name = readPackage(root)?.name ?? '';
    return [{ name, folder: root, buildCommand: 'npm run build' }];
  }
  const all = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^(shell$|mfe-)/.test(entry.name))
    .map(({ name }) => ({ name, folder: join(root, name), buildCommand: `npm run build -w ${name}` }));
  const packages = all.filter(({ folder }) => existsSync(join(folder, 'package.json')));
  return (packages.length > 0 ? packages : all).sort(
    (a, b) => Number(b.name === 'shell') - Number(a.name === 'shell') || (a.name < b.name ? -1 : 1),
  );
}

const isApp = (folder: string) => CONFIGS.some((name) => existsSync(join(folder, name)));

/** @throws CliError `app_not_here`. */
export function localApp(root: string, name: string): LocalApp {
  const apps = localApps(root);
  const found = apps.find((app) => app.name === name);
  if (found) return found;
  const others = apps.map((app) => app.name).join(', ');
  throw new CliError(
    'app_not_here',
    others === ''
      ? `"${root}" has no app: run this in the folder of "${name}".`
      : `There is no app "${name}" in this repository; available: ${others}.`,
  );
}

/** @throws CliError `app_not_named`. */
export function appOr({ ownApp, root }: Place, named: string | undefined): string {
  const app = named ?? ownApp;
  if (app !== null) return app;
  const others = localApps(root).map(({ name }) => name);
  throw new CliError(
    'app_not_named',
    `Name an app${others.length > 0 ? `: ${others.join(', ')}` : ''}. It can be omitted in an app's folder, but ` +
      'this folder does not belong to an app.',
  );
}

function* foldersAbove(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at;
    if (at === dirname(at)) return;
  }
}

function readPackage(folder: string): { name?: string; workspaces?: unknown } | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: string };
  } catch {
    return null;
  }
}
