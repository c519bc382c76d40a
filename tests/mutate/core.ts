import { execFileSync } from 'node:child_process';

const CORE =
  /^(delivery\/(registry|guard|edge|cli|artifacts|composer)|services\/(forms|gateway)|shared\/(contract|server)|shell)\/src\//;
/** Tests and fixtures; migration steps, which never change once they are released. */
const LEFT_OUT = /\.test\.|\/testing\/|\.d\.ts$|\/migrations(\/|\.ts$)/;

export function listCore(root: string): string[] {
  return listSources(root).filter(isCore);
}

export function isCore(file: string): boolean {
  return CORE.test(file) && !LEFT_OUT.test(file);
}

export function listSources(root: string): string[] {
  return git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '*.ts', '*.tsx')
    .split('\n')
    .filter((file) => file !== '');
}

export function git(root: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
}
