import { watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Watches a folder and everything in it, also when another one takes its place: git removes a folder and makes it again, and who watched
 * the first one hears nothing of the second.
 *
 * @param onChange gets the path below the folder, or null when all of it may be another one.
 */
export function watchTree(folder: string, onChange: (file: string | null) => void): { close(): void } {
  let inside: FSWatcher | null = null;

  function open(): void {
    inside?.close();
    inside = null;
    try {
      inside = watch(folder, { recursive: true }, (_event, file) => onChange(file));
      inside.on('error', () => undefined);
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
      // It is gone. The folder around it tells when it is there again.
    }
  }

  const around = watch(dirname(folder), (_event, file) => {
    if (file !== basename(folder)) return;
    open();
    onChange(null);
  });
  around.on('error', () => undefined);
  open();
  return {
    close() {
      around.close();
      inside?.close();
    },
  };
}
