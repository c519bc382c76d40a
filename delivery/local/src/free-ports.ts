import { createServer } from 'node:net';
import { isMissingAddress, listenAddresses } from '@site/contract/loopback';
import { PortError } from '@site/server/start-server';

export async function assertFreePorts(host: string, ports: Record<string, number>): Promise<void> {
  const places = Object.entries(ports).flatMap(([name, port]) =>
    listenAddresses(host).map((address) => ({ name, port, address })),
  );
  for (const { name, port, address } of places) {
    await new Promise<void>((resolve, reject) => {
      const probe = createServer();
      probe.once('error', (cause: NodeJS.ErrnoException) => {
        if (isMissingAddress(cause) && address !== host) return resolve();
        reject(
          cause.code === 'EADDRINUSE'
            ? new PortError(
                `Port ${port} (${name}) is in use. Stop the program that uses it, or choose other ports: ` +
                  'PORT=9080 npm start',
                { cause },
              )
            : cause,
        );
      });
      probe.listen({ port, host: address }, () => probe.close(() => resolve()));
    });
  }
}
