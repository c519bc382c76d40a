import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announce, createDataDir } from './data-dir.ts';

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
  await expect(createDataDir(file)).rejects.toThrow(`DATA_DIR is "${file}"`);
  expect(await readFile(file, 'utf8')).toBe('precious');
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
