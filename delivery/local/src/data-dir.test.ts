import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announce, createDataDir, unusable } from './data-dir.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-data-dir-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('is private to this user', async () => {
  const dataDir = join(folder, 'a/b');
  await createDataDir(dataDir);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
});

test('is reported if it is a file, which stays unchanged', async () => {
  const file = join(folder, 'file');
  await writeFile(file, 'precious');
  await expect(createDataDir(file)).rejects.toThrow(
    `The data folder "${file}" (DATA_DIR) cannot be used: it is not a folder`,
  );
  expect(await readFile(file, 'utf8')).toBe('precious');
});

test('is reported before anything starts if it is not writable, and nothing is left in it', async () => {
  // A file with the name of an existing folder cannot be written, even by root.
  await mkdir(join(folder, `.trial-${process.pid}`));
  await expect(createDataDir(folder)).rejects.toThrow(
    /^The data folder ".*" \(DATA_DIR\) cannot be used: .* \(EISDIR.*Set DATA_DIR to a folder that this user can write to\.$/,
  );
  await rm(join(folder, `.trial-${process.pid}`), { recursive: true });
  await createDataDir(folder);
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['ENOSPC', /its disk is full \(ENOSPC: reason\)\. Free some space there, or set DATA_DIR/],
  ['EDQUOT', /its disk is full/],
  ['EROFS', /its disk is read-only \(EROFS: reason\)\. Set DATA_DIR to a folder on another disk\./],
  ['EACCES', /permission denied \(EACCES: reason\)\. Grant it, or set DATA_DIR/],
])('reports the remedy for %s', (code, says) => {
  const { message } = unusable('/srv/site', Object.assign(new Error(`${code}: reason`), { code }));
  expect(message).toContain('The data folder "/srv/site"');
  expect(message).toMatch(says);
});

test("announces the running site's URLs to `npx @site/cli`", async () => {
  const urls = {
    site: 'http://localhost:9080',
    gateway: 'http://localhost:9081/',
    forms: 'http://localhost:9082/',
    registry: 'http://localhost:9083',
  };
  const announced = await announce(folder, urls);
  expect(JSON.parse(await readFile(join(folder, 'running.json'), 'utf8'))).toEqual({
    pid: process.pid,
    ...urls,
  });
  await announced.close();
  await expect(stat(join(folder, 'running.json'))).rejects.toMatchObject({ code: 'ENOENT' });
});
