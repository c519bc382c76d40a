import type { Server } from 'node:http';
import { countServerRequests } from './count-requests.ts';

/**
 * Lets a server close despite keep-alive connections: Node's `server.close()` closes idle ones, but a
 * connection with an active request stays open for its keep-alive timeout afterwards.
 * Call it before the server listens; call the returned function together with `server.close()`: idle
 * connections close immediately, active ones after their response, and the rest after `withinMs`.
 */
export function drainConnections(server: Server): (withinMs: number) => void {
  const requests = countServerRequests(server);
  return (withinMs) => {
    requests.drain();
    setTimeout(requests.cut, withinMs).unref();
  };
}
