import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { openDatabase } from './open-database.ts';
import { startDatabase, type TestDatabase } from './testing/each-database.ts';
import { waitFor } from './testing/wait-for.ts';

let server: TestDatabase & { url: string };
const open = new Set<Socket>();

/** Passes on everything but notifications: messages of PostgreSQL are a letter, a length and a body. */
const proxy = createServer({ noDelay: true }, (client) => {
  const upstream = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', noDelay: true });
  for (const socket of [client, upstream]) {
    open.add(socket);
    socket.on('error', () => undefined);
  }
  client.on('close', () => upstream.destroy());
  client.pipe(upstream);
  let rest = Buffer.alloc(0);
  upstream.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const length = rest.readInt32BE(1) + 1;
      if (rest[0] !== 'A'.charCodeAt(0)) client.write(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
});

beforeAll(async () => {
  server = await startDatabase();
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await new Promise((resolve) => proxy.close(resolve));
  await server.stop();
});

test('a listener that does not receive its own notification is reported, and works by polling', async () => {
  const url = new URL(server.url);
  url.port = String((proxy.address() as AddressInfo).port);
  const warnings: string[] = [];
  const database = await openDatabase({
    url: url.href,
    onWarning: (message) => warnings.push(message),
    patience: { answerTimeoutMs: 1_000 },
  });
  await database.listen('news', () => undefined);
  await database.ping();
  await waitFor(() =>
    expect(warnings).toEqual([expect.stringContaining('PostgreSQL notifications do not arrive')]),
  );
  await database.close();
});
