import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillDataFolder } from '@site/server/testing/memory-database';
import { runService, runToEnd } from '@site/server/testing/run-service';
import { waitFor } from '@site/server/testing/wait-for';

const main = 'services/gateway/src/main.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-gateway-'));
  await fillDataFolder(join(folder, 'database'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('does not start with an invalid variable, and names it', async () => {
  const { code, errors } = await runToEnd(main, { PORT: 'eighty' });
  expect(code).toBe(1);
  expect(errors).toBe(
    'The configuration is invalid.\n  PORT is "eighty": It must be a port, a whole number from 0 to 65535.\n',
  );
});

test('does not start on a port in use, and reports it in one line', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const ended = await runToEnd(main, {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: folder,
  });
  other.close();
  expect(ended).toEqual({
    code: 1,
    errors: `Port ${port} is in use: stop the program that uses it, or set PORT to another port.\n`,
  });
});

test.each(['SIGTERM', 'SIGINT'] as const)('stops cleanly on %s and frees its data folder', async (signal) => {
  const env = { DATA_DIR: folder };
  expect(await (await runService(main, env)).end(signal)).toEqual({ code: 0, errors: '' });
});

test('after SIGTERM it reports "not ready" and serves for DRAIN_SECONDS', async () => {
  const gateway = await runService(main, { DATA_DIR: folder, DRAIN_SECONDS: '2' });
  const fetchStatus = async (path: string) => (await fetch(`${gateway.url}${path}`)).status;
  expect(await fetchStatus('/readyz')).toBe(200);
  const ended = gateway.end('SIGTERM');
  await waitFor(async () => expect(await fetchStatus('/readyz')).toBe(503));
  expect(await fetchStatus('/.well-known/jwks.json')).toBe(200);
  expect(await ended).toEqual({ code: 0, errors: '' });
  await expect(fetchStatus('/readyz')).rejects.toThrow('fetch failed');
});
