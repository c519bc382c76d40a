import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: { type?: string; text?: string; data?: Record<string, unknown> };
}

/**
 * A receiver's behavior: responds with a status and an optional `Retry-After`, closes the connection, or never
 * responds.
 */
export type Manner = number | { status: number; retryAfter?: string; answer?: string } | 'close' | 'hang';

export interface AlertReceiver {
  url: string;
  received: Received[];
  /** Behaviors for the next requests, in order; the last one stays. */
  manners: Manner[];
  onArrival: () => Promise<void>;
  stop(): Promise<void>;
}

export async function startAlertReceiver(): Promise<AlertReceiver> {
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { url: path = '', headers } = request;
      receiver.received.push({ path, headers, text, body: JSON.parse(text) as Received['body'] });
      const manner = receiver.manners.length > 1 ? receiver.manners.shift() : receiver.manners[0];
      void receiver.onArrival().then(() => {
        if (manner === 'close') request.socket.destroy();
        else if (manner !== 'hang') {
          const given: Exclude<Manner, number | string> =
            typeof manner === 'object' ? manner : { status: manner ?? 200 };
          const { status, retryAfter, answer = `<p>${'x'.repeat(100_000)}` } = given;
          const again = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
          response.writeHead(status, { location: '/elsewhere', ...again }).end(answer);
        }
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: AlertReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    manners: [200],
    onArrival: () => Promise.resolve(),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return receiver;
}
