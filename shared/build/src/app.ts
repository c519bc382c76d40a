import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { RemoteConfigSchema, ShellConfigSchema, type RemoteConfig, type ShellConfig } from '@site/contract';
import { agreedPackages, sharedModules } from './shared-modules.ts';

/** An app's folder as the build sees it. */
export interface App {
  name: string;
  folder: string;
  /** Semver version of its package.json. */
  packageVersion: string;
  /** Null for the shell. */
  remote: RemoteConfig | null;
  /** Null for a remote. */
  shell: ShellConfig | null;
  /** For the shell the exact versions it offers; for a remote the ranges it needs. By package name. */
  sharedVersions: Record<string, string>;
}

/** A mistake in an app's own files. The message names the file, the field and the remedy. */
export class AppConfigError extends Error {
  override name = 'AppConfigError';
}

interface PackageJson {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/**
 * Reads the shell's or a remote's folder.
 *
 * @throws AppConfigError when `package.json`, `remote.config.ts` or `shell.config.ts` is missing or wrong.
 */
export async function loadApp(folder: string): Promise<App> {
  const root = resolve(folder);
  const packageJson = await readPackageJson(join(root, 'package.json'));
  const name = packageJson.name ?? '';
  const dependencies = { ...packageJson.devDependencies, ...packageJson.dependencies };
  const isShell = name === 'shell';
  const require = createRequire(join(root, 'package.json'));

  const sharedVersions: Record<string, string> = {};
  for (const packageName of new Set([...sharedModules.map((each) => each.package), ...agreedPackages])) {
    const range = dependencies[packageName];
    if (!range) {
      if (agreedPackages.some((each) => each === packageName)) continue;
      throw new AppConfigError(
        `${join(root, 'package.json')} has no dependency "${packageName}", which every app shares. Add it.`,
      );
    }
    if (isShell) sharedVersions[packageName] = await installedVersion(require, packageName);
    else if (!packageName.startsWith('@site/')) sharedVersions[packageName] = range;
    else sharedVersions[packageName] = narrowed(range, await installedVersion(require, packageName));
  }
  return {
    name,
    folder: root,
    packageVersion: packageJson.version ?? '0.0.0',
    remote: isShell ? null : await loadRemoteConfig(root, name),
    shell: isShell ? await loadShellConfig(root) : null,
    sharedVersions,
  };
}

/**
 * What a remote needs of a package of ours: no version before the one that it was built with, for it may use all that this has. Patches add
 * nothing. (Of React it needs what its team says: the shell is seldom the first to have the newest one.)
 *
 * @param range what its `package.json` says, such as `^1.0.0`.
 * @param installed such as `1.4.2`: these two give `^1.4.0`.
 */
export function narrowed(range: string, installed: string): string {
  const [major = '', minor = ''] = installed.split('.');
  const least = installed.includes('-') ? installed : `${major}.${minor}.0`;
  return range
    .split('||')
    .map((each) => each.trim())
    .map((each) => {
      if (each.startsWith(`^${major}.${minor}.`)) return each;
      return each.startsWith(`^${major}.`) ? `^${least}` : `${each} >=${least}`;
    })
    .join(' || ');
}

async function readPackageJson(path: string): Promise<PackageJson> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new AppConfigError(
      `${path} cannot be read. Run this from the folder of the shell or of a remote.`,
      { cause },
    );
  }
  return JSON.parse(text) as PackageJson;
}

async function installedVersion(require: NodeJS.Require, packageName: string): Promise<string> {
  for (const folder of require.resolve.paths(packageName) ?? []) {
    const found = await readFile(join(folder, packageName, 'package.json'), 'utf8').catch(() => null);
    if (found) return (JSON.parse(found) as { version: string }).version;
  }
  throw new AppConfigError(
    `The package "${packageName}" is not installed. Run npm install at the top of the repository.`,
  );
}

async function loadRemoteConfig(root: string, packageName: string): Promise<RemoteConfig> {
  const path = join(root, 'remote.config.ts');
  const config = await loadConfig(path, 'remote', RemoteConfigSchema, 'defineRemote');
  if (config.name !== packageName) {
    throw new AppConfigError(
      `${path} names the remote "${config.name}", but its package.json says "${packageName}". Make them equal.`,
    );
  }
  return config;
}

function loadShellConfig(root: string): Promise<ShellConfig> {
  return loadConfig(join(root, 'shell.config.ts'), 'shell', ShellConfigSchema, 'defineShell');
}

async function loadConfig<TSchema extends v.GenericSchema>(
  path: string,
  kind: string,
  schema: TSchema,
  define: string,
): Promise<v.InferOutput<TSchema>> {
  let exported: { default?: unknown };
  try {
    exported = (await import(pathToFileURL(path).href)) as { default?: unknown };
  } catch (cause) {
    const { code, message, stack = '' } = (cause ?? {}) as Partial<NodeJS.ErrnoException>;
    // Of TypeScript that cannot be read, Node shows the place before it names the error.
    const [, line, excerpt] = /^.*:(\d+)\n([^]*?)\n\nSyntaxError/.exec(stack) ?? [];
    const why =
      code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? `it is TypeScript, which Node reads from version 22.18 on, and this is ${process.version}`
        : (message ?? String(cause));
    const place = line === undefined ? '' : ` (line ${line})\n${excerpt}`;
    throw new AppConfigError(`${path} cannot be loaded: ${why}${place}`, { cause });
  }
  if (exported.default === undefined) {
    throw new AppConfigError(`${path} has no default export. Write: export default ${define}({ … })`);
  }
  const parsed = v.safeParse(schema, exported.default);
  if (!parsed.success) {
    const problems = parsed.issues.map((issue) => {
      const at = v.getDotPath(issue);
      return `  ${at ? `${at}: ` : ''}${issue.message}${gotText(issue.input)}`;
    });
    throw new AppConfigError(`${path} is not a valid ${kind}:\n${problems.join('\n')}`);
  }
  return parsed.output;
}

/** A value that is wrong, where it is short enough to be of help: of a rule about the whole file it is the whole file. */
function gotText(input: unknown): string {
  const text = input === undefined ? 'nothing' : JSON.stringify(input);
  return text.length <= 200 ? ` (got ${text})` : '';
}

/** The key under which a page's module is exposed: `./src/pages/home-page.tsx` → `./home-page`. */
export function moduleKey(page: string): string {
  return `./${page.slice(page.lastIndexOf('/') + 1).replace(/\.tsx$/, '')}`;
}
