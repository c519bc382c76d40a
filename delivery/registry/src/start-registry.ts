import { startServer, type RunningServer } from '@site/server/start-server';
import { createRegistryApp, type RegistryOptions } from './create-registry-app.ts';

export interface StartRegistryOptions extends RegistryOptions {
  /** 0 lets the system choose. */
  port: number;
  host: string;
}

/** Starts the registry. After `close()`, the caller closes the database. */
export async function startRegistry({
  port,
  host,
  ...options
}: StartRegistryOptions): Promise<RunningServer> {
  return startServer(await createRegistryApp(options), { port, host });
}
