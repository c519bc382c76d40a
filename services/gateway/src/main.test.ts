import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runService, runToEnd } from '@site/server/testing/run-service';
import { startPostgres } from '@site/server/testing/start-postgres';

const main = 'services/gateway/src/main.ts';
jest.setTimeout(120_000);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-gateway-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('does not start with a wrong variable, and names it', async () => {
  const { code, errors } = await runToEnd(main, { PORT: 'eighty' });
  expect(code).toBe(1);
  expect(errors).toBe(
    'The configuration is not usable.\n  PORT is "eighty": It must be a port, a whole number from 0 to 65535.\n',
  );
});

test('does not start on a port in use, and says so in one line', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const ended = await runToEnd(main, {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: join(folder, 'port'),
  });
  other.close();
  expect(ended).toEqual({
    code: 1,
    errors: `Port ${port} is in use: stop the program that uses it, or set PORT to another port.\n`,
  });
});

test.each(['SIGTERM', 'SIGINT'] as const)('stops cleanly on %s and frees its data folder', async (signal) => {
  const env = { DATA_DIR: join(folder, 'port') };
  expect(await (await runService(main, env)).end(signal)).toEqual({ code: 0, errors: '' });
});

const create = async (url: string, id: string): Promise<string | null> => {
  const answer = await fetch(`${url}/guests`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ unique_id: id, user_unique_id: id }),
  });
  return answer.status === 201 ? answer.headers.get('company-token') : null;
};

/** Creates guests, four at a time, until the gateway is gone; tells of each that was acknowledged. */
async function createUntilGone(url: string, onCreated: (id: string, token: string) => void): Promise<void> {
  const worker = async () => {
    for (;;) {
      const id = randomUUID();
      const token = await create(url, id).catch(() => null);
      if (token === null) return;
      onCreated(id, token);
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}

describe.each(['PGlite', 'PostgreSQL'])('after kill -9 in the middle of a stream of writes on %s', (kind) => {
  test('every acknowledged guest is there, and its token still opens it', async () => {
    const server = kind === 'PostgreSQL' ? await startPostgres() : null;
    const env: Record<string, string> = server
      ? { DATABASE_URL: server.url }
      : { DATA_DIR: join(folder, 'killed') };
    env['RATE_LIMIT_PER_ADDRESS'] = '0';
    const first = await runService(main, env);
    const created = new Map<string, string>();
    await createUntilGone(first.url, (id, token) => {
      created.set(id, token);
      if (created.size === 300) void first.end('SIGKILL');
    });
    const second = await runService(main, env);
    const statuses = new Set<number>();
    for (const [id, token] of created) {
      const answer = await fetch(`${second.url}/guests/${id}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      statuses.add(answer.status);
    }
    expect(created.size).toBeGreaterThanOrEqual(300);
    expect([...statuses]).toEqual([200]);
    expect(await second.end('SIGTERM')).toEqual({ code: 0, errors: '' });
    await server?.stop();
  });
});
