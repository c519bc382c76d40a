import { createServer } from 'node:net';

/**
 * Below the ports that the system hands out by itself (32768 and up on Linux): between here and the moment when a server
 * listens, no connection of another test can take one.
 */
const range = { first: 20_000, end: 32_000 };

/** The first of some ports in a row that nobody listens on. */
export async function freePorts(count = 1): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const first = range.first + Math.floor(Math.random() * (range.end - range.first - count));
    const free = await Promise.all(Array.from({ length: count }, (_, offset) => isFree(first + offset)));
    if (free.every(Boolean)) return first;
  }
  throw new Error(`No ${count} free ports in a row were found.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: 'localhost' }, () => probe.close(() => resolve(true)));
  });
}
