import { stat } from 'node:fs/promises';

/** Whether there is a file or folder at a path that this user may look at. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
