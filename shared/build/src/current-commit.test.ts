import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { currentCommit } from './current-commit.ts';

/** A repository with one app, a package it depends on and one it does not. */
let root: string;
let head: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'site-commit-')));
  await write('.gitignore', 'node_modules\ndist\n');
  await write(
    'mfe-a/package.json',
    '{ "name": "mfe-a", "version": "1.0.0", "dependencies": { "linked": "1" } }',
  );
  await write('mfe-a/src/page.ts', '1');
  await write('linked/package.json', '{ "name": "linked", "version": "1.0.0" }');
  await write('linked/src/index.ts', '1');
  await write('other/src/index.ts', '1');
  await mkdir(join(root, 'node_modules'));
  await symlink('../linked', join(root, 'node_modules/linked'));
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@a.test', 'commit', '--quiet', '--message', 'one');
  head = git('rev-parse', '--short=12', 'HEAD').trim();
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
}

const commit = () => currentCommit(join(root, 'mfe-a'));

test.each([
  ['nothing', '.gitignore', 'node_modules\ndist\n'],
  ['the build output', 'mfe-a/dist/version.json', '{}'],
  ['an unrelated folder', 'other/src/index.ts', '2'],
])('the commit is returned if %s differs from it', async (_what, path, content) => {
  await write(path, content);
  expect(await commit()).toBe(head);
});

test.each([
  ['a source', 'mfe-a/src/page.ts', '2'],
  ['a new file', 'mfe-a/src/new.ts', '1'],
  ['a package of the same repository that the app depends on', 'linked/src/index.ts', '2'],
])('no commit is returned if %s differs from it', async (_what, path, content) => {
  await write(path, content);
  expect(await commit()).toBeNull();
});

test('the commit is returned if the checkout belongs to another user, as in containers', async () => {
  process.env['GIT_TEST_ASSUME_DIFFERENT_OWNER'] = '1';
  try {
    expect(() => git('status')).toThrow('dubious ownership');
    expect(await commit()).toBe(head);
  } finally {
    delete process.env['GIT_TEST_ASSUME_DIFFERENT_OWNER'];
  }
});

test('no commit is returned outside of a repository', async () => {
  await rm(join(root, '.git'), { recursive: true });
  expect(await commit()).toBeNull();
});
