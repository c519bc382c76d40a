import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** `npx site` as a process of its own, against a registry that never answers. */
let server: Server;
let asked: Promise<unknown>;
beforeEach(async () => {
  server = createServer();
  asked = once(server, 'request');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends a command in good order, with what to do next',
  async (signal) => {
    const { port } = server.address() as AddressInfo;
    const site = spawn(
      process.execPath,
      [join(import.meta.dirname, '../bin/site.mjs'), 'freeze', '--reason', 'a test', '--key', 'run-1'],
      { env: { ...process.env, SITE_REGISTRY: `http://127.0.0.1:${port}`, SITE_TOKEN: 'site_x' } },
    );
    let written = '';
    site.stderr.on('data', (chunk: Buffer) => (written += chunk.toString()));
    await asked;
    site.kill(signal);
    expect(await once(site, 'close')).toEqual([130, null]);
    expect(written).toMatch(
      /^site: Stopped while the registry was at work: .*--key run-1.*\(interrupted\)\n$/,
    );
  },
  30_000,
);
