import { join } from 'node:path';
import { localApps } from '@site/cli/repository';

export const root = join(import.meta.dirname, '../../..');

/** The shell first. */
export function appFolders(): string[] {
  return localApps(root).map(({ name }) => name);
}

/** Built like an app, but served by the registry and not published. */
export const consoleFolder = 'delivery/console';
