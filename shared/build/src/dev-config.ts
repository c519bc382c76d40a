import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from 'webpack';
import type { App } from './app.ts';
import { ownModule } from './own-module.ts';

/** What a build for the dev server has that no published one has. */

/** Modules of this package that run in the browser. */
export const devModules = {
  refresh: ownModule('dev-refresh'),
  jsx: ownModule('dev-jsx'),
};

export const devAliases = { 'react/jsx-dev-runtime$': devModules.jsx };

/** The Trusted Types policy by which the shell loads its scripts in development. */
export const DEV_SHELL_POLICY = 'shell#dev';

/**
 * What was compiled before is read instead of compiled again, unless this package has changed, or the folder has moved: a cache
 * holds absolute paths.
 */
export function devCache({
  name,
  folder,
}: Pick<App, 'name' | 'folder'>): NonNullable<Configuration['cache']> {
  return {
    type: 'filesystem',
    name,
    cacheDirectory: join(folder, 'node_modules/.cache/site-dev'),
    version: `${ownHash()} ${realpathSync(folder)}`,
    // Soon: some look at one thing and stop again.
    idleTimeoutForInitialStore: 1_000,
    idleTimeout: 10_000,
  };
}

function ownHash(): string {
  const hash = createHash('sha256');
  const files = readdirSync(import.meta.dirname, { recursive: true, withFileTypes: true });
  for (const file of files) if (file.isFile()) hash.update(readFileSync(join(file.parentPath, file.name)));
  return hash.digest('hex');
}
