import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planHere } from './plan-here.ts';
import { writeRemote } from './write-remote.ts';

const repository = process.cwd();
const careers = { name: 'mfe-careers', owner: 'people', path: '/careers', slug: 'careers', title: 'Careers' };

/** Runs a command line that must be rejected: it would write into this repository. */
function refused(...args: string[]) {
  const command = [join(repository, 'delivery/local/src/new-remote.ts'), ...args];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { status, stderr };
}

describe('invalid arguments are rejected with the reason, before anything is written', () => {
  const remotes = () => readdirSync(repository).filter((name) => name.includes('mfe-'));
  const before = remotes();
  afterEach(() => expect(remotes()).toEqual(before));

  test.each([
    ['an invalid name', ['mfe-Careers', '--path', '/c'], /--name "mfe-Careers": An app is named/],
    ['the name of the shell', ['shell', '--path', '/c'], /The shell is not a remote/],
    ['an existing folder', ['mfe-blocks', '--path', '/c'], /The folder "mfe-blocks" exists already/],
    ['an invalid path', ['mfe-x', '--path', 'careers'], /--path "careers": A page path is lower case/],
    [
      'the path of another remote',
      ['mfe-x', '--path', '/partners'],
      /it is a page of mfe-partners, .* partners\./,
    ],
    ['a redirect of another remote', ['mfe-x', '--path', '/company'], /it is a redirect of mfe-marketing/],
    [
      'a path of the web server',
      ['mfe-x', '--path', '/assets/x'],
      /path "\/assets\/x" is reserved for the web server/,
    ],
    [
      'a path that results in too short a title',
      ['mfe-x', '--path', '/hr'],
      /--title "Hr": .* at least 3 characters/,
    ],
    [
      'a title that is too short',
      ['mfe-x', '--path', '/c2', '--title', 'C2'],
      /--title "C2": It is too short .* at least 3 characters, such as "Careers"/,
    ],
    [
      'a title that is code',
      ['mfe-x', '--path', '/c', '--title', "it's"],
      /It is inserted into source files/,
    ],
  ])('%s', (_, args, message) => {
    const { status, stderr } = refused(...args, '--owner', 'people');
    expect(stderr).toMatch(message);
    expect(status).toBe(1);
  });

  test('an invalid owner is reported together with all other errors', () => {
    const { stderr } = refused('mfe-X', '--owner', 'Our Team', '--path', '/partners');
    expect(stderr).toMatch(/--name "mfe-X"/);
    expect(stderr).toMatch(/--owner "Our Team": An owner is a team name/);
    expect(stderr).toMatch(/it is a page of mfe-partners/);
  });

  test.each([
    [[], 'The name of the remote is missing.'],
    [['mfe-x', '--path', '/x-page'], '--owner is missing.'],
    [['mfe-x', '--owner', 'people'], '--path is missing.'],
    [['mfe-x', 'mfe-y', '--owner', 'people', '--path', '/x-page'], '"mfe-y" is more than one remote'],
    [['mfe-x', '--colour', 'red'], "Unknown option '--colour'"],
  ])('a wrong command line exits with 2 and the usage: %j', (args, message) => {
    const { status, stderr } = refused(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('Example: npm run new-remote -- mfe-careers');
  });
});

describe('the generated files', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'new-remote-'));
    await copyFile(join(repository, 'package-lock.json'), join(root, 'package-lock.json'));
    await mkdir(join(root, 'node_modules'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const readText = (path: string) => readFile(join(root, path), 'utf8');

  test("have the remote's names and path, and nothing of the template", async () => {
    const files = await writeRemote(root, careers);
    expect(files).toEqual([
      'mfe-careers/package.json',
      'mfe-careers/remote.config.ts',
      'mfe-careers/src/contract.test.ts',
      'mfe-careers/src/pages/careers-page.data.ts',
      'mfe-careers/src/pages/careers-page.module.css',
      'mfe-careers/src/pages/careers-page.test.tsx',
      'mfe-careers/src/pages/careers-page.tsx',
      'package-lock.json',
    ]);
    for (const file of files.slice(0, -1)) expect(await readText(file)).not.toMatch(/template/i);
    expect(await readText('mfe-careers/remote.config.ts')).toContain(
      `[{ path: '/careers', page: './src/pages/careers-page.tsx', card: 'Careers' }]`,
    );
  });

  test('of a nested path, or one that begins with a digit, have valid names', async () => {
    await writeRemote(root, {
      ...careers,
      path: '/3d/print-shop',
      slug: '3d-print-shop',
      title: 'Print shop',
    });
    expect(await readText('mfe-careers/src/pages/3d-print-shop-page.tsx')).toContain(
      'export default function The3dPrintShopPage()',
    );
  });

  test('include the lock file as npm writes it, with one more remote and the same order', async () => {
    await writeRemote(root, careers);
    const before = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as Lock;
    const after = JSON.parse(await readText('package-lock.json')) as Lock;
    const added = ['mfe-careers', 'node_modules/mfe-careers'];
    expect(Object.keys(after.packages).filter((key) => !added.includes(key))).toEqual(
      Object.keys(before.packages),
    );
    expect(Object.keys(after.packages).indexOf('mfe-careers')).toBe(
      Object.keys(after.packages).indexOf('mfe-blocks') + 1,
    );
    const { 'mfe-blocks': blocks, 'node_modules/mfe-blocks': link } = before.packages;
    expect(after.packages['mfe-careers']).toEqual(blocks);
    expect(after.packages['node_modules/mfe-careers']).toEqual({ ...link, resolved: 'mfe-careers' });
  });

  test("include npm's workspace link, and do not trigger an installation by `npm start`", async () => {
    const marker = join(root, 'node_modules/.installed');
    const hashOfLock = async () =>
      createHash('sha256')
        .update(await readText('package-lock.json'))
        .digest('hex');
    await writeFile(marker, await hashOfLock());
    await writeRemote(root, careers);
    expect(await readlink(join(root, 'node_modules/mfe-careers'))).toBe(join('..', 'mfe-careers'));
    expect(await readFile(marker, 'utf8')).toBe(await hashOfLock());
  });

  test('do not mark a checkout as installed that never was', async () => {
    await rm(join(root, 'node_modules'), { recursive: true });
    await writeRemote(root, careers);
    expect(existsSync(join(root, 'node_modules'))).toBe(false);
  });
});

interface Lock {
  packages: Record<string, object>;
}

test('can be written next to a leftover folder of another branch with only ignored files', async () => {
  const root = await mkdtemp(join(tmpdir(), 'site-new-remote-'));
  try {
    await mkdir(join(root, 'shell'));
    await writeFile(join(root, 'shell/package.json'), '{}');
    await mkdir(join(root, 'mfe-gone/dist'), { recursive: true });
    expect(await planHere(root, { name: 'mfe-careers', owner: 'people', path: '/careers' })).toMatchObject({
      name: 'mfe-careers',
    });
  } finally {
    await rm(root, { recursive: true });
  }
});
