import type { FastifyInstance } from 'fastify';
import { parseBody } from '@site/server/validate';
import { abortCanary } from '../use-cases/abort-canary.ts';
import { changeShare } from '../use-cases/change-share.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { onBehalfOf } from '../use-cases/on-behalf-of.ts';
import { promoteCanary } from '../use-cases/promote-canary.ts';
import { actorOf } from './authorize.ts';
import { answerOnce, channelOf } from './command.ts';
import { AbortRequestSchema, PromotionRequestSchema, ShareRequestSchema } from './request.schema.ts';

interface OfChannel {
  Params: { channel: string };
}

/** The running canary of a channel. What it changes decides who may touch it: the use cases look at that. */
export function canaryRoutes(app: FastifyInstance, context: RegistryContext): void {
  app.post<OfChannel>('/v1/channels/:channel/candidate', async (request, reply) => {
    const channel = channelOf(request.params.channel);
    const body = parseBody(ShareRequestSchema, request.body);
    const actor = actorOf(request);
    return answerOnce(context, request, reply, (remember) =>
      changeShare(onBehalfOf(context, actor), actor, channel, body, remember),
    );
  });

  app.post<OfChannel>('/v1/channels/:channel/promotions', async (request, reply) => {
    const channel = channelOf(request.params.channel);
    const body = parseBody(PromotionRequestSchema, request.body);
    const actor = actorOf(request);
    return answerOnce(context, request, reply, (remember) =>
      promoteCanary(onBehalfOf(context, actor), actor, channel, body, remember),
    );
  });

  app.post<OfChannel>('/v1/channels/:channel/aborts', async (request, reply) => {
    const channel = channelOf(request.params.channel);
    const body = parseBody(AbortRequestSchema, request.body);
    const actor = actorOf(request);
    return answerOnce(context, request, reply, (remember) =>
      abortCanary(onBehalfOf(context, actor), actor, channel, body, remember),
    );
  });
}
