import type { Server } from 'node:http';
import { countServerRequests, stopAccepting } from './count-requests.ts';

/**
 * Lets a server close despite keep-alive connections: Node's `server.close()` closes idle ones, but a
 * connection with an active request stays open for its keep-alive timeout afterwards.
 * Call it before the server listens; call the returned function before `server.close()`: new connections get their
 * response, idle ones then close immediately, active ones after their response, and the rest after `withinMs`.
 */
export function drainConnections(server: Server): (withinMs: number) => Promise<void> {
  const requests = countServerRequests(server);
  return async (withinMs) => {
    stopAccepting(server);
    await requests.untilFirstRequests();
    requests.drain();
    setTimeout(requests.cut, withinMs).unref();
  };
}
