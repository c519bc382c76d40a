import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The top of the repository. */
export const root = join(import.meta.dirname, '../../..');

/** The folders of the shell and of every remote, the shell first. */
export function appFolders(): string[] {
  const remotes = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith('mfe-'))
    .map((entry) => entry.name)
    .sort();
  return ['shell', ...remotes];
}

/** The folder of the console, which the registry serves. It is built like an app, and published with nothing. */
export const consoleFolder = 'delivery/console';
