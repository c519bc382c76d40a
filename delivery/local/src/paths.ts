import { join } from 'node:path';
import { localApps } from '@site/cli/repository';

/** The root of the repository. */
export const root = join(import.meta.dirname, '../../..');

/** The folders of the shell and of every remote, the shell first. */
export function appFolders(): string[] {
  return localApps(root).map(({ name }) => name);
}

/** The console's folder. Built like an app, but served by the registry and not published. */
export const consoleFolder = 'delivery/console';
