import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from 'webpack';
import type { App } from './app.ts';
import { ownModule } from './own-module.ts';

export const devModules = {
  refresh: ownModule('dev-refresh'),
  jsx: ownModule('dev-jsx'),
};

export const devAliases = { 'react/jsx-dev-runtime$': devModules.jsx };

export const DEV_SHELL_POLICY = 'shell#dev';

/**
 * The persistent cache is invalidated if this package changes or the folder moves, because it contains
 * absolute paths.
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
    // Short, because dev servers are often stopped early.
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
