import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import semver from 'semver';
import { loadApp, narrowed } from './app.ts';

const root = join(import.meta.dirname, '../../..');

test.each([
  ['^1.0.0', '1.4.2', '^1.4.0'],
  ['^1.4.1', '1.4.2', '^1.4.1'],
  ['^1.0.0 || ^2.0.0', '1.4.2', '^1.4.0 || ^2.0.0'],
  ['^1.0.0 || ^2.0.0', '2.1.0', '^1.0.0 || ^2.1.0'],
  ['1.x || ^2.0.0', '1.4.2', '1.x >=1.4.0 || ^2.0.0'],
  ['1.0.0 - 1.9.0', '1.4.2', '>=1.0.0 <=1.9.0 >=1.4.0'],
  ['>=1.0.0', '1.4.2', '>=1.0.0 >=1.4.0'],
  ['*', '1.4.2', '* >=1.4.0'],
  ['latest', '1.4.2', '^1.4.0'],
  ['workspace:^1.0.0', '1.4.2', '^1.4.0'],
  ['^1.4.0', '1.5.0-next.3', '^1.5.0-next.3'],
])('with the range %s and the installed %s, a remote requires %s', (range, installed, needed) => {
  expect(narrowed(range, installed)).toBe(needed);
  expect(semver.satisfies(installed, needed)).toBe(true);
});

test('a range for two majors accepts a shell with the earlier one', () => {
  expect(semver.satisfies('1.9.0', narrowed('^1.0.0 || ^2.0.0', '2.1.0'))).toBe(true);
});

test('a package.json with invalid JSON is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-config-'));
  try {
    await writeFile(join(folder, 'package.json'), '{ "name": ');
    await expect(loadApp(folder)).rejects.toThrow(`${folder}/package.json is not JSON: `);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.each(['what?', 'now!'])(
  'a folder named %s, which the compiler cannot read, is rejected',
  async (name) => {
    await expect(loadApp(join(tmpdir(), name))).rejects.toThrow(
      `${name}" contains "?" or "!", which the compiler does not allow in paths. Move the checkout`,
    );
  },
);

test('the shell provides exact versions, a remote requires ranges, and both name the same packages', async () => {
  const shell = await loadApp(join(root, 'shell'));
  const remote = await loadApp(join(root, 'mfe-marketing'));
  expect(Object.keys(remote.sharedVersions)).toEqual(Object.keys(shell.sharedVersions));
  expect(Object.keys(shell.sharedVersions)).toEqual(['react', '@site/kit', '@site/contract', '@site/ui']);
  for (const version of Object.values(shell.sharedVersions)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  for (const range of Object.values(remote.sharedVersions)) expect(range).toMatch(/^\^\d+\.\d+\.\d+$/);
});

test('an invalid configuration is reported with the invalid value, never as a whole', async () => {
  const shared = ['react', '@site/kit', '@site/contract', '@site/ui'];
  const dependencies = Object.fromEntries(shared.map((name) => [name, '*']));
  const page = { path: '/careers', page: './src/pages/careers-page.tsx' };
  const form = { id: 'mfe-blocks/apply', place: '/careers', title: 'Apply', button: 'Send', tell: 'people' };
  const more = { thanks: { title: 'We have it', text: 'We answer within a week.' }, keepDays: 180 };
  const fields = [{ kind: 'email', name: 'email', label: 'Email' }];
  const problemWith = async (config: object) => {
    const folder = await mkdtemp(join(tmpdir(), 'site-config-'));
    try {
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
      const name = 'mfe-careers';
      await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', dependencies }));
      const remote = { name, owner: 'people', pages: [page], redirects: [], ...config };
      await writeFile(join(folder, 'remote.config.ts'), `export default ${JSON.stringify(remote)};\n`);
      return await loadApp(folder).catch(String);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  const ending = { ...page, path: '/careers/' };
  expect(await problemWith({ pages: [ending] })).toMatch(/pages\.0\.path: .* \(got "\/careers\/"\)$/);
  const outcomes = [{ name: 'applied', on: 'form' }];
  expect(await problemWith({ pages: [{ ...page, outcomes }] })).toMatch(/declare "variants" too\.$/);
  expect(await problemWith({ forms: [{ ...form, ...more, fields }] })).toMatch(
    /\n {2}The identifier of a form of this remote begins with "mfe-careers\/" \(got "mfe-[a-z]+\/[a-z]+"\)\.$/,
  );
});
