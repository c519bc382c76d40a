import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localTokens } from './local-tokens.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-tokens-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('are created once, and readable only by their owner', async () => {
  const tokens = await localTokens(folder);
  expect(new Set(Object.values(tokens)).size).toBe(5);
  for (const token of Object.values(tokens)) expect(token).toMatch(/^site_[A-Za-z0-9_-]{43}$/);
  expect((await stat(join(folder, 'tokens.json'))).mode & 0o777).toBe(0o600);
  expect(await localTokens(folder)).toEqual(tokens);
});

test('that cannot be written are an error that names the folder', async () => {
  await mkdir(join(folder, 'tokens.json.new'));
  await expect(localTokens(folder)).rejects.toThrow(`The data folder "${folder}" (DATA_DIR) cannot be used`);
});

test.each(['{"ops":', '{"ops":"site_ops"}'])('that are damaged are not overwritten: %s', async (text) => {
  await writeFile(join(folder, 'tokens.json'), text);
  await expect(localTokens(folder)).rejects.toThrow('does not contain the local tokens. Delete it');
  expect(await readFile(join(folder, 'tokens.json'), 'utf8')).toBe(text);
});
