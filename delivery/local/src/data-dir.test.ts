import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announce, createDataDir, unusable } from './data-dir.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-data-dir-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('is made for this user alone', async () => {
  const dataDir = join(folder, 'a/b');
  await createDataDir(dataDir);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
});

test('is told to be wrong when it is a file, which stays', async () => {
  const file = join(folder, 'file');
  await writeFile(file, 'precious');
  await expect(createDataDir(file)).rejects.toThrow(
    `The data folder "${file}" (DATA_DIR) cannot be used: it is not a folder`,
  );
  expect(await readFile(file, 'utf8')).toBe('precious');
});

test('is told to be wrong before anything starts when nothing can be written into it, and nothing is left in it', async () => {
  // A name that is taken by a folder cannot be written, whoever tries.
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
  ['EACCES', /this user may not write there \(EACCES: reason\)\. Give it the permission, or set DATA_DIR/],
])('says what to do about %s', (code, says) => {
  const { message } = unusable('/srv/site', Object.assign(new Error(`${code}: reason`), { code }));
  expect(message).toContain('The data folder "/srv/site"');
  expect(message).toMatch(says);
});

test('tells `npx site` where everything answers, for as long as it runs', async () => {
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
