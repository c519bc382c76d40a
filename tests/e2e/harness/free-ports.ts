import { createServer } from 'node:net';

/** The first of four ports in a row that nobody listens on. */
export async function freePorts(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const first = 20_000 + Math.floor(Math.random() * 20_000);
    const free = await Promise.all([0, 1, 2, 3].map((offset) => isFree(first + offset)));
    if (free.every(Boolean)) return first;
  }
  throw new Error('No four free ports in a row were found.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: 'localhost' }, () => probe.close(() => resolve(true)));
  });
}
