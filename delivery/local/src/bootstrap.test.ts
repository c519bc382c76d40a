import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A clone with only the bootstrap, and a fake npm that reports its call and fails. */
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'site-bootstrap-'));
  for (const folder of ['delivery/local', 'node_modules/.bin']) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await cp(join(import.meta.dirname, '../bootstrap.mjs'), join(root, 'delivery/local/bootstrap.mjs'));
  await symlink(process.execPath, join(root, 'node_modules/.bin/node'));
  await writeFile(join(root, 'npm.mjs'), 'console.log("npm", process.argv[2]); process.exitCode = 1;');
  await writeFile(join(root, 'script.mjs'), 'console.log("the script runs");');
});
afterEach(() => rm(root, { recursive: true }));

const less = { 'mfe-blocks': { version: '1.0.0' } };
const installed = {
  ...less,
  'node_modules/mfe-blocks': { resolved: 'mfe-blocks', link: true },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
};
const wanted = {
  '': { name: 'site' },
  ...installed,
  'node_modules/for-another-platform': { version: '1.0.0', integrity: 'sha512-b', optional: true },
};

/** @param packages that npm has recorded as installed; null: none. */
async function run(packages: object | null): Promise<string> {
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  if (packages) {
    await writeFile(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
  }
  const env = { ...process.env, npm_execpath: join(root, 'npm.mjs') };
  const script = join(root, 'delivery/local/bootstrap.mjs');
  return spawnSync(process.execPath, [script, 'script.mjs'], { env, encoding: 'utf8' }).stdout;
}

test.each([
  ['nothing', null],
  ['less', less],
  ['another version', { ...installed, 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }],
  ['another package with that version', { ...installed, 'node_modules/a': { version: '1.0.0' } }],
  ['more', { ...installed, 'node_modules/b': { version: '1.0.0' } }],
])('installs if %s is installed', async (_, packages) => {
  expect(await run(packages)).toBe('npm ci\n');
});

test('installs nothing after an `npm ci` by hand, and remembers it', async () => {
  expect(await run(installed)).toBe('the script runs\n');
  expect(await readFile(join(root, 'node_modules/.installed'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
  expect(await run(less)).toBe('the script runs\n');
});

test('allows or forbids every install script of a package, on every platform', async () => {
  const read = async (file: string) =>
    JSON.parse(await readFile(join(import.meta.dirname, '../../..', file), 'utf8')) as unknown;
  const { packages } = (await read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: true }>;
  };
  const { allowScripts } = (await read('package.json')) as { allowScripts: Record<string, boolean> };
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(Object.keys(allowScripts).toSorted()).toEqual(
    scripted.map(([folder]) => folder.replace(/^.*node_modules\//, '')).toSorted(),
  );
});
