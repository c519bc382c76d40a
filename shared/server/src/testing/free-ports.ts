import { createServer } from 'node:net';

/**
 * Below the ephemeral ports (32768 and up on Linux), so that no other test's connection takes a port before
 * the server listens.
 */
const range = { first: 20_000, end: 32_000 };
/** Each Jest worker has its own range, so that a restarted server finds its port free. */
const SHARES = 8;
const share = Number(process.env['JEST_WORKER_ID'] ?? 0) % SHARES;
/** For the same reason a port is never returned twice. */
const given = new Set<number>();

/** The first of `count` consecutive free ports. */
export async function freePorts(count = 1): Promise<number> {
  const size = (range.end - range.first) / SHARES;
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const first = range.first + share * size + Math.floor(Math.random() * (size - count));
    const ports = Array.from({ length: count }, (_, offset) => first + offset);
    if (ports.some((port) => given.has(port))) continue;
    // Before the first await, so that concurrent callers get different ports.
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
    // On every address: "localhost" may not be the address on which the port is taken.
    probe.listen({ port }, () => probe.close(() => resolve(true)));
  });
}
