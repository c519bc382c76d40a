const PROBLEMS: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'you have no permission',
  EPERM: 'you have no permission',
  ENOSPC: 'there is no space left',
  EROFS: 'it is on a disk that cannot be written to',
};

/** Why a file cannot be used, in words; what is rare, as the system says it. */
export function fileProblem(cause: unknown): string {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return PROBLEMS[code] ?? message;
}
