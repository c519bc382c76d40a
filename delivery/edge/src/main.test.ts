import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToken } from '@site/server/secrets';
import { runToEnd } from '@site/server/testing/run-service';

let folder: string;
let env: Record<string, string>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-edge-'));
  const ports = { PORT: '0', OPS_PORT: '0', HOST: '127.0.0.1' };
  env = {
    ...ports,
    DATA_DIR: folder,
    REGISTRY_URL: 'http://127.0.0.1:1',
    EDGE_ID: 'x',
    EDGE_TOKEN: createToken(),
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['EDGE_ID', 'a b', /EDGE_ID is "a b": An edge id has 1 to 64 letters/],
  ['EDGE_TOKEN', 'site_abc', /EDGE_TOKEN is invalid: It must be "site_" and 43 base64url characters/],
  ['HOST', '192.0.2.1', /^"192\.0\.2\.1" is not an address of this machine: set HOST/m],
  ['OPS_HOST', '192.0.2.1', /^"192\.0\.2\.1" is not an address of this machine: set OPS_HOST/m],
])('%s=%s ends it with a message that names the setting', async (name, value, message) => {
  const { code, errors } = await runToEnd('delivery/edge/src/main.ts', { ...env, [name]: value });
  expect({ code, errors }).toEqual({ code: 1, errors: expect.stringMatching(message) as string });
  expect(errors).not.toMatch(/^\s+at /m);
});

test('files that are not a certificate end it with a message that names both', async () => {
  const file = join(folder, 'file');
  await writeFile(file, 'no certificate');
  const { code, errors } = await runToEnd('delivery/edge/src/main.ts', {
    ...env,
    TLS_CERT: file,
    TLS_KEY: file,
  });
  expect(code).toBe(1);
  expect(errors).toContain(`TLS_CERT ("${file}") and TLS_KEY ("${file}") are not a certificate and its key`);
  expect(errors).not.toMatch(/^\s+at /m);
});
