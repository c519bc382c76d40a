import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from './settings.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'site-settings-'));
  await mkdir(join(root, '.data'));
  await writeFile(join(root, '.data/tokens.json'), JSON.stringify({ ops: 'the local ops token' }));
});
afterEach(() => rm(root, { recursive: true }));

const tokenFor = async (env: Record<string, string>) => (await readSettings(root, env)).token;

test.each(['http://localhost:8083', 'http://127.0.0.1:8083', 'http://[::1]:8083', 'https://localhost'])(
  'the local ops token is sent to a registry on this machine: %s',
  async (registry) => {
    expect(await tokenFor({ SITE_REGISTRY: registry })).toBe('the local ops token');
  },
);

test.each([
  'https://registry.example.com',
  'https://localhost.example.com',
  'https://localhost.evil',
  'https://evil-localhost',
  'https://127.0.0.1.example.com',
  'https://localhost@registry.example.com',
  'http://10.127.0.1:8083',
  'http://[::2]:8083',
])('the local ops token is never sent to another machine: %s', async (registry) => {
  expect(await tokenFor({ SITE_REGISTRY: registry })).toBeNull();
});

test('without SITE_REGISTRY, the local token goes only to a running site on this machine', async () => {
  const run = (registry: string) => writeFile(join(root, '.data/running.json'), JSON.stringify({ registry }));
  expect(await tokenFor({})).toBe('the local ops token');
  await run('http://localhost:9000');
  expect(await readSettings(root, {})).toEqual({
    registryUrl: 'http://localhost:9000',
    token: 'the local ops token',
  });
  await run('https://registry.example.com');
  expect(await tokenFor({})).toBeNull();
});

test('SITE_TOKEN takes precedence over the local token, and is sent to any registry', async () => {
  const env = { SITE_TOKEN: 'given', SITE_REGISTRY: 'http://localhost:8083' };
  expect(await tokenFor(env)).toBe('given');
  expect(await tokenFor({ ...env, SITE_REGISTRY: 'https://registry.example.com' })).toBe('given');
});
