import type { FastifyInstance } from 'fastify';
import { ChannelNameSchema } from '@site/contract';
import { forgetSignals } from '../signals/index.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { forEachSettled, type Poller } from '../kernel/scheduling.ts';
import { guardReleases } from './guard-releases.ts';
import { MINUTE_MS } from '@site/server/durations';

const FORGET_EVERY_MS = 10 * MINUTE_MS;

export function keepGuarding(app: FastifyInstance, context: RegistryContext, lookAgain: Poller): void {
  const { db, now, metrics } = context;
  let forgotten = -Infinity;
  const onProblem = (error: unknown) => {
    metrics.guardFailed();
    app.log.error({ err: error }, 'the guard could not do all of its work');
  };

  const stop = lookAgain(async () => {
    await forEachSettled(ChannelNameSchema.options, async (channel) => {
      const begun = performance.now();
      await guardReleases(context, channel, onProblem);
      metrics.guardLooked(performance.now() - begun);
    });
    if (now().getTime() - forgotten < FORGET_EVERY_MS) return;
    forgotten = now().getTime();
    await forgetSignals(db, now());
  }, onProblem);
  app.addHook('onClose', stop);
}
