import type { Server } from 'node:http';
import { countRequestsOf } from './count-requests.ts';

/**
 * Lets a server close although clients keep connections open: Node's `server.close()` ends those without a request, but one that
 * is answered afterwards stays open for its keep-alive timeout, and holds the end up.
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
