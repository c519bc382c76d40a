import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { runHere } from '../testing/run-here.ts';

const row = (forms: { sent: number; failed: number }) => ({
  app: 'mfe-blocks',
  version: '1.0.0-good00000000',
  route: '/blocks',
  canary: false,
  views: 40,
  faults: null,
  forms,
  p75: { lcp: null, inp: null, cls: null },
  verdict: null,
});

let server: Server;
let forms = { sent: 0, failed: 0 };
beforeEach(async () => {
  server = createServer((_, response) => {
    response.end(JSON.stringify({ since: '2026-11-22T12:00:00.000Z', rows: [row(forms)] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

test.each([
  [{ sent: 0, failed: 3 }, '3 of 3'],
  [{ sent: 3, failed: 1 }, '1 of 4'],
  [{ sent: 3, failed: 0 }, '0 of 3'],
  [{ sent: 0, failed: 0 }, '-'],
])('health shows how many submissions failed: %j as %s', async (counted, shown) => {
  forms = counted;
  const { port } = server.address() as AddressInfo;
  const env = { SITE_REGISTRY: `http://127.0.0.1:${port}`, DATA_DIR: 'nothing-here' };
  const { out, err } = await runHere(tmpdir(), env, 'health');
  expect(err).toBe('');
  expect(out.trimEnd().split('\n').at(-1)).toMatch(new RegExp(` {2}${shown} +-$`));
});
