import { stat } from 'node:fs/promises';

export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

const PROBLEMS: Record<string, string> = {
  ENOENT: 'no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the disk is read-only',
};

export function fileProblem(cause: unknown): string {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return PROBLEMS[code] ?? message;
}
