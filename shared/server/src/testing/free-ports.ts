import { createServer } from 'node:net';

/**
 * Below the ports that the system hands out by itself (32768 and up on Linux): between here and the moment when a server
 * listens, no connection of another test can take one.
 */
const range = { first: 20_000, end: 32_000 };
/** Each worker of Jest has ports of its own: a server that is stopped and started again finds its port free. */
const SHARES = 8;
const share = Number(process.env['JEST_WORKER_ID'] ?? 0) % SHARES;
/** For the same reason none is given twice. */
const given = new Set<number>();

/** The first of some ports in a row that nobody listens on, and that no other test is given. */
export async function freePorts(count = 1): Promise<number> {
  const size = (range.end - range.first) / SHARES;
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const first = range.first + share * size + Math.floor(Math.random() * (size - count));
    const ports = Array.from({ length: count }, (_, offset) => first + offset);
    if (ports.some((port) => given.has(port))) continue;
    // Before anything is waited for: two that ask at once must not be given the same.
    for (const port of ports) given.add(port);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return first;
  }
  throw new Error(`No ${count} free ports in a row were found.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    // On every address: "localhost" may be another one than that on which the port is taken.
    probe.listen({ port }, () => probe.close(() => resolve(true)));
  });
}
