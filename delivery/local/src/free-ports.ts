import { createServer } from 'node:net';
import { PortError } from '@site/server/start-server';

/** Before minutes are spent on building. @throws PortError that names the first port in use and its purpose. */
export async function assertFreePorts(host: string, ports: Record<string, number>): Promise<void> {
  for (const [name, port] of Object.entries(ports)) {
    await new Promise<void>((resolve, reject) => {
      const probe = createServer();
      probe.once('error', (cause: NodeJS.ErrnoException) => {
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
      probe.listen({ port, host }, () => probe.close(() => resolve()));
    });
  }
}
