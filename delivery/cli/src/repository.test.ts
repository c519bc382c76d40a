import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appOr, findPlace, localApp, localApps } from './repository.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-place-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, text: object | string): Promise<void> {
  const at = join(folder, path);
  await mkdir(join(at, '..'), { recursive: true });
  await writeFile(at, typeof text === 'string' ? text : JSON.stringify(text));
}

async function writeCareers(): Promise<void> {
  await write('package.json', { name: 'mfe-careers' });
  await write('remote.config.ts', '');
  await mkdir(join(folder, 'src/pages'), { recursive: true });
}

async function writeMany(): Promise<void> {
  await write('package.json', { name: 'site', workspaces: ['mfe-*', 'shell'] });
  for (const app of ['mfe-blocks', 'shell', 'mfe-a']) {
    await write(`${app}/package.json`, { name: app });
    await write(`${app}/src/x.ts`, '');
  }
  await write('mfe-blocks/remote.config.ts', '');
}

test.each([['.'], ['src/pages']])(
  'every folder of a single-remote repository belongs to its app: %s',
  async (inside) => {
    await writeCareers();
    const place = findPlace(join(folder, inside));
    expect(place).toEqual({ root: folder, ownApp: 'mfe-careers' });
    expect(appOr(place, undefined)).toBe('mfe-careers');
    expect(localApp(folder, 'mfe-careers')).toEqual({
      name: 'mfe-careers',
      folder,
      buildCommand: 'npm run build',
    });
  },
);

test('among several apps the folder selects one, and the root selects none', async () => {
  await writeMany();
  expect(localApps(folder).map(({ name }) => name)).toEqual(['shell', 'mfe-a', 'mfe-blocks']);
  expect(findPlace(join(folder, 'mfe-blocks/src'))).toEqual({ root: folder, ownApp: 'mfe-blocks' });
  expect(findPlace(join(folder, 'mfe-a'))).toEqual({ root: folder, ownApp: 'mfe-a' });
  const top = findPlace(folder);
  expect(top).toEqual({ root: folder, ownApp: null });
  expect(appOr(top, 'mfe-a')).toBe('mfe-a');
  expect(() => appOr(top, undefined)).toThrow('Name an app: shell, mfe-a, mfe-blocks.');
});

test("of apps with the same name prefix, the folder's own is selected", async () => {
  await write('package.json', { name: 'site', workspaces: ['mfe-*'] });
  for (const app of ['mfe-blocks', 'mfe-blocks-x', 'mfe-blocks-x-y']) {
    await write(`${app}/package.json`, { name: app });
    await write(`${app}/remote.config.ts`, '');
    await write(`${app}/src/x.ts`, '');
  }
  for (const app of ['mfe-blocks', 'mfe-blocks-x', 'mfe-blocks-x-y'])
    for (const inside of [app, `${app}/src`]) expect(findPlace(join(folder, inside)).ownApp).toBe(app);
});

test('an app in another workspace folder is found', async () => {
  await write('package.json', { name: 'people', workspaces: ['apps/*'] });
  await write('apps/mfe-careers/package.json', { name: 'mfe-careers' });
  await write('apps/mfe-careers/remote.config.ts', '');
  const own = join(folder, 'apps/mfe-careers');
  expect(findPlace(join(own, 'src'))).toEqual({ root: own, ownApp: 'mfe-careers' });
  expect(localApp(own, 'mfe-careers').folder).toBe(own);
});

test('a leftover folder of another branch with only ignored files is not an app', async () => {
  await writeMany();
  await write('mfe-gone/dist/version.json', {});
  await write('mfe-gone/node_modules/.cache/x', '');
  expect(localApps(folder).map(({ name }) => name)).toEqual(['shell', 'mfe-a', 'mfe-blocks']);
});

test('builds copied here without their sources are apps', async () => {
  await write('mfe-blocks/dist/version.json', {});
  await write('shell/dist/version.json', {});
  expect(localApps(folder).map(({ name }) => name)).toEqual(['shell', 'mfe-blocks']);
});

test('an app that does not exist is rejected with the list of apps', async () => {
  await writeCareers();
  expect(() => localApp(folder, 'mfe-blocks')).toThrow(
    'There is no app "mfe-blocks" in this repository; available: mfe-careers.',
  );
});

test('outside of any repository there is no app, and that is not an error', () => {
  expect(findPlace(folder)).toEqual({ root: folder, ownApp: null });
  expect(() => localApp(folder, 'mfe-blocks')).toThrow(`"${folder}" has no app`);
});
