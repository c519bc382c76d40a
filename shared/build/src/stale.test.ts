import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inputsHash } from './stale.ts';

/** A repository with one app, a dependency and an unused package, as npm installs them. */
let root: string;
let before: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'site-stale-')));
  await write('package-lock.json', {});
  await write('mfe-a/package.json', { name: 'mfe-a', version: '1.0.0', dependencies: { linked: '1' } });
  await write('mfe-a/src/page.ts', '1');
  await write('linked/package.json', { name: 'linked', version: '1.0.0', dependencies: { used: '1' } });
  await write('linked/src/index.ts', '1');
  await write('node_modules/used/package.json', { name: 'used', version: '1.0.0' });
  await write('node_modules/other/package.json', { name: 'other', version: '1.0.0' });
  await symlink('../linked', join(root, 'node_modules/linked'));
  before = await inputsHash(join(root, 'mfe-a'));
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, content: object | string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
}

test.each<[string, string, object | string]>([
  ['a source', 'mfe-a/src/page.ts', '2'],
  [
    'its package.json',
    'mfe-a/package.json',
    { name: 'mfe-a', version: '1.0.1', dependencies: { linked: '1' } },
  ],
  ['a source of a package in the same repository', 'linked/src/index.ts', '2'],
  ['a source in a folder called "coverage"', 'mfe-a/src/coverage/price.ts', '2'],
  ['a source in a folder called "dist"', 'mfe-a/src/dist/list.ts', '2'],
  ['a source called "dist"', 'mfe-a/src/dist.ts', '2'],
  ['a file called "dist" next to the sources', 'mfe-a/dist.ts', '2'],
  [
    'a source in a folder called "dist.old" of a package in the same repository',
    'linked/src/dist.old/x.ts',
    '2',
  ],
  ['its build', 'node_modules/@site/build/package.json', { name: '@site/build', version: '2.0.0' }],
])('%s affects the hash', async (_what, path, content) => {
  await write(path, content);
  expect(await inputsHash(join(root, 'mfe-a'))).not.toBe(before);
});

test('the version of an installed package affects the hash, also of an indirect dependency', async () => {
  const other = join(root, 'elsewhere');
  await write('elsewhere/package.json', { name: 'mfe-a', version: '1.0.0', dependencies: { linked: '1' } });
  await write('elsewhere/src/page.ts', '1');
  expect(await inputsHash(other)).toBe(before);
  await rm(other, { recursive: true });
  // Installed packages are cached per process: another folder simulates another run.
  await write('moved/node_modules/used/package.json', { name: 'used', version: '1.0.1' });
  await write('moved/linked/package.json', { name: 'linked', version: '1.0.0', dependencies: { used: '1' } });
  await write('moved/linked/src/index.ts', '1');
  await symlink('../linked', join(root, 'moved/node_modules/linked'));
  await write('moved/mfe-a/package.json', { name: 'mfe-a', version: '1.0.0', dependencies: { linked: '1' } });
  await write('moved/mfe-a/src/page.ts', '1');
  expect(await inputsHash(join(root, 'moved/mfe-a'))).not.toBe(before);
});

test.each<[string, string, object | string]>([
  ['the lock file', 'package-lock.json', { packages: {} }],
  [
    'a package that it does not depend on',
    'node_modules/other/package.json',
    { name: 'other', version: '2.0.0' },
  ],
  ['another app', 'mfe-b/package.json', { name: 'mfe-b', version: '1.0.0' }],
  ['a test', 'mfe-a/src/page.test.ts', '1'],
  ['an ignored file next to the sources', 'mfe-a/.data/x', '1'],
  ['the lock file of a repository with a single app', 'mfe-a/package-lock.json', '{}'],
  ['the build output', 'mfe-a/dist/version.json', '{}'],
  ['the output of another bundler', 'mfe-a/dist.bundle/browser/x.js', '1'],
  ['the coverage of a test run', 'mfe-a/coverage/lcov.info', '1'],
  ['the build output of a package in the same repository', 'linked/dist/index.js', '1'],
])('%s does not affect the hash', async (_what, path, content) => {
  await write(path, content);
  expect(await inputsHash(join(root, 'mfe-a'))).toBe(before);
});
