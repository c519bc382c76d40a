import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import semver from 'semver';
import * as v from 'valibot';
import { RemoteConfigSchema, ShellConfigSchema, type RemoteConfig, type ShellConfig } from '@site/contract';
import { issueLines } from './issue-lines.ts';
import { agreedPackages, sharedModules } from './shared-modules.ts';

export interface App {
  name: string;
  folder: string;
  packageVersion: string;
  /** Null for the shell. */
  remote: RemoteConfig | null;
  /** Null for a remote. */
  shell: ShellConfig | null;
  /** By package name: exact versions provided by the shell, or ranges required by a remote. */
  sharedVersions: Record<string, string>;
}

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
 * @throws AppConfigError if `package.json`, `remote.config.ts` or `shell.config.ts` is missing or invalid.
 */
export async function loadApp(folder: string): Promise<App> {
  const root = resolve(folder);
  if (/[?!]/.test(root))
    throw new AppConfigError(
      `The path "${root}" contains "?" or "!", which the compiler does not allow in paths. Move ` +
        'the checkout to another folder.',
    );
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
    else if (!packageName.startsWith('@site/') && semver.validRange(range) !== null)
      sharedVersions[packageName] = range;
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
 * The range that a remote requires of one of the site's own packages: at least the minor version it was built
 * with, since it may use all of its API. Alternatives for other majors stay unchanged. (For React the team's
 * own range is used, because the shell seldom has the latest version first.)
 * @param range in its `package.json`, such as `^1.0.0`.
 * @param installed such as `1.4.2`: these two result in `^1.4.0`.
 */
export function narrowed(range: string, installed: string): string {
  const [major = '', minor = ''] = installed.split('.');
  const least = installed.includes('-') ? installed : `${major}.${minor}.0`;
  // A tag such as "latest", or a URL: only the installed version is known.
  if (semver.validRange(range) === null) return `^${least}`;
  return range
    .split('||')
    .map((each) => each.trim())
    .map((each) => {
      if (!semver.intersects(each, `^${least}`, { includePrerelease: true })) return each;
      if (semver.gte(semver.minVersion(each) ?? '0.0.0', least)) return each;
      if (each.startsWith(`^${major}.`)) return `^${least}`;
      return `${each.includes(' - ') ? new semver.Range(each).range : each} >=${least}`;
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
  return parsePackageJson(path, text);
}

export function parsePackageJson<T extends object = PackageJson>(path: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new AppConfigError(`${path} is not JSON: ${(cause as Error).message}`, { cause });
  }
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
    // For TypeScript syntax errors, Node prints the position before the error's name.
    const [, line, excerpt] = /^.*:(\d+)\n([^]*?)\n\nSyntaxError/.exec(stack) ?? [];
    const why =
      code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? `it is TypeScript, which Node supports from version 22.18 on, and this is ${process.version}`
        : (message ?? String(cause));
    const place = line === undefined ? '' : ` (line ${line})\n${excerpt}`;
    throw new AppConfigError(`${path} cannot be loaded: ${why}${place}`, { cause });
  }
  if (exported.default === undefined) {
    throw new AppConfigError(`${path} has no default export. Write: export default ${define}({ … })`);
  }
  const parsed = v.safeParse(schema, exported.default);
  if (!parsed.success) {
    throw new AppConfigError(`${path} is not a valid ${kind}:\n${issueLines(parsed.issues)}`);
  }
  return parsed.output;
}
