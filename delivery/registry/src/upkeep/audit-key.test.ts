import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '@site/server/start-error';
import { keptAuditSecret } from './audit-key.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'audit-key-')), 'data');
});
afterEach(() => rm(join(folder, '..'), { recursive: true }));

const file = () => join(folder, 'audit-key');

test('the key is made once, by the first of several processes, and only its owner may read it', async () => {
  const made = await Promise.all([keptAuditSecret(folder), keptAuditSecret(folder), keptAuditSecret(folder)]);
  expect(new Set(made).size).toBe(1);
  expect(await keptAuditSecret(folder)).toBe(made[0]);
  expect(made[0]).toBe((await readFile(file(), 'utf8')).trim());
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['audit-key']);
});

test.each(['', 'too short', 'a key\nand another'])(
  'a file with %j is refused, and left as it is',
  async (text) => {
    await mkdir(folder);
    await writeFile(file(), text);
    await expect(keptAuditSecret(folder)).rejects.toThrow(StartError);
    await expect(keptAuditSecret(folder)).rejects.toThrow(/does not hold the key/);
    expect(await readFile(file(), 'utf8')).toBe(text);
  },
);

test('an unreadable file is not a missing key', async () => {
  await mkdir(file(), { recursive: true });
  await expect(keptAuditSecret(folder)).rejects.toThrow(/cannot be read .* Give this user permission/);
});
