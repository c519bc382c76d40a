import { watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Watches a folder recursively, even if it is replaced: git removes and recreates folders, and a plain
 * watcher does not follow.
 * @param onChange gets the path below the folder, or null if any of it may have changed.
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
      // Removed. The parent folder's watcher reports when it exists again.
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
