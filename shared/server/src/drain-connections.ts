import type { Server } from 'node:http';
import { countRequestsOf } from './count-requests.ts';

/**
 * Lets a server close although clients hold connections open on which nothing happens: Node's `server.close()` waits for
 * a connection that never sent a request, and `closeIdleConnections()` does not count it as idle.
 *
 * Call it before the server listens; call the function it returns together with `server.close()`: connections without a
 * request end at once, the others with their answer, whatever is left after `withinMs`.
 */
export function drainConnections(server: Server): (withinMs: number) => void {
  const requests = countRequestsOf(server);
  return (withinMs) => {
    requests.drain();
    setTimeout(requests.cut, withinMs).unref();
  };
}
