import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToken } from '@site/server/secrets';
import { newPostgresDatabase, type PostgresDatabase } from '@site/server/testing/each-database';
import { runService } from '@site/server/testing/run-service';
import { fromConsole } from './testing/browser.ts';

const main = 'delivery/registry/src/main.ts';

let folder: string;
let database: PostgresDatabase;
beforeAll(async () => {
  [folder, database] = await Promise.all([mkdtemp(join(tmpdir(), 'site-registry-')), newPostgresDatabase()]);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

test('behind a proxy, a client that tries too many tokens locks out no other, and shutdown is clean', async () => {
  const token = createToken();
  const env = { DATA_DIR: folder, DATABASE_URL: database.url, OPS_TOKEN: token, TRUST_PROXY: '1' };
  const registry = await runService(main, env, 'registry: ');
  const signIn = async (caller: string, sent: string) => {
    const headers = { ...fromConsole, 'content-type': 'application/json', 'x-forwarded-for': caller };
    const body = JSON.stringify({ token: sent });
    return (await fetch(`${registry.url}/console/session`, { method: 'POST', headers, body })).status;
  };
  for (let tries = 0; tries < 60; tries += 1) await signIn('192.0.2.1', createToken());
  expect([await signIn('192.0.2.1', token), await signIn('192.0.2.2', token)]).toEqual([429, 200]);
  expect(await registry.end('SIGTERM')).toEqual({ code: 0, errors: '' });
});
