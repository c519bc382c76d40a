import type { FastifyInstance } from 'fastify';
import { inParallel } from '@site/contract/in-parallel';
import { compressInTurn } from '../kernel/compressing.ts';
import type { RegistryContext } from '../kernel/context.ts';

const AT_ONCE = 2;
const TURN = 'background';

/** Blobs left when the process ends are served uncompressed. */
export function compressInBackground(
  app: FastifyInstance,
  context: Pick<RegistryContext, 'compressing' | 'store'>,
): (integrities: readonly string[]) => void {
  let running: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  app.addHook('onClose', async () => {
    isClosed = true;
    await running;
  });
  const compress = async (integrity: string) => {
    if (isClosed) return;
    await compressInTurn(context, TURN, () => context.store.compress(integrity)).catch((error: unknown) =>
      app.log.warn({ err: error }, 'a file could not be compressed; it is served as it is'),
    );
  };
  return (integrities) => {
    running = running.then(() => inParallel(AT_ONCE, integrities, compress));
  };
}
