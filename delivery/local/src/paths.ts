import { join } from 'node:path';
import { localApps } from '@site/cli/repository';

/** The top of the repository. */
export const root = join(import.meta.dirname, '../../..');

/** The folders of the shell and of every remote, the shell first. */
export function appFolders(): string[] {
  return localApps(root).map(({ name }) => name);
}

/** The folder of the console, which the registry serves. It is built like an app, and published with nothing. */
export const consoleFolder = 'delivery/console';
