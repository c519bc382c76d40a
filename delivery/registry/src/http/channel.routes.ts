import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { ReleaseIdSchema, type ChannelAnswer } from '@site/contract';
import { baseErrors } from '@site/server/base-errors';
import { parseBody } from '@site/server/validate';
import { findChannel } from '../database/channel.repository.ts';
import { listEdges } from '../database/edge.repository.ts';
import { listFreezes } from '../database/freeze.repository.ts';
import { channelState, findRelease, listReleases, releaseNumber } from '../database/release.repository.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { createRelease } from '../use-cases/create-release.ts';
import { requireApp } from '../use-cases/guards.ts';
import { onBehalfOf } from '../use-cases/on-behalf-of.ts';
import { rollBack } from '../use-cases/roll-back.ts';
import { actorOf, requireScope } from './authorize.ts';
import type { ChannelEvents } from './channel-events.ts';
import { answerOnce, channelOf } from './command.ts';
import { edgeAnswer } from './edge.routes.ts';
import { PAGE, wholeNumber } from './page-query.ts';
import { IfLiveSchema, ReleaseRequestSchema, RollbackRequestSchema } from './request.schema.ts';

/** No release has a larger number. */
const LARGEST_NUMBER = 2_147_483_647;

/** Channels and their releases. */
export function channelRoutes(app: FastifyInstance, context: RegistryContext, events: ChannelEvents): void {
  const { db, now } = context;

  app.get<{ Params: { channel: string } }>(
    '/v1/channels/:channel',
    async (request): Promise<ChannelAnswer> => {
      const channel = channelOf(request.params.channel);
      // All in one look, so that the parts of the answer belong together.
      return db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (transaction) => {
          const { stable, canary } = await findChannel(transaction, channel);
          const begun = canary ? await findRelease(transaction, canary.first) : null;
          return {
            ...(await channelState(transaction, channel)),
            release: stable?.release ?? null,
            candidate:
              canary && begun
                ? {
                    release: canary.release,
                    share: canary.basisPoints / 100,
                    since: begun.release.at,
                    by: begun.release.by,
                  }
                : null,
            freezes: await listFreezes(transaction, channel),
            edges: (await listEdges(transaction, channel)).map((edge) => edgeAnswer(edge, now())),
          };
        });
    },
  );

  app.get<{ Params: { channel: string } }>('/v1/channels/:channel/events', async (request, reply) => {
    await events.serve(channelOf(request.params.channel), reply, actorOf(request).tokenId);
  });

  app.get<{ Params: { channel: string }; Querystring: { limit?: string; before?: string; app?: string } }>(
    '/v1/channels/:channel/releases',
    async (request) => {
      const channel = channelOf(request.params.channel);
      const limit = wholeNumber('limit', request.query.limit ?? '20', PAGE);
      const before = beforeOf(request.query.before);
      const { app: name } = request.query;
      if (name !== undefined) await requireApp(db, name, { parameter: 'app' });
      const releases = await listReleases(db, channel, { limit, before, app: name });
      return {
        releases: releases.map(({ release, isRevoked, asCandidate, changes }) => ({
          ...release,
          revoked: isRevoked,
          /** Made for a canary: it was never shown to everyone. */
          candidate: asCandidate,
          changes,
        })),
      };
    },
  );

  app.post<{ Params: { channel: string } }>('/v1/channels/:channel/releases', async (request, reply) => {
    const channel = channelOf(request.params.channel);
    const body = parseBody(ReleaseRequestSchema, request.body);
    const actor = actorOf(request);
    for (const name of Object.keys(body.apps)) requireScope(actor, `activate:${name}`);
    // What concerns more than the named apps is for ops.
    if (body.config || body.force || body.without || Object.keys(body.apps).length === 0)
      requireScope(actor, 'ops');
    return answerOnce(context, request, reply, (remember) =>
      createRelease(onBehalfOf(context, actor), actor, channel, body, remember),
    );
  });

  app.post<{ Params: { channel: string } }>('/v1/channels/:channel/rollbacks', async (request, reply) => {
    const channel = channelOf(request.params.channel);
    const body = parseBody(RollbackRequestSchema, request.body);
    const ifLive = v.safeParse(IfLiveSchema, request.headers['if-live']);
    if (!ifLive.success) {
      throw baseErrors.request_malformed(ifLive.issues[0].message, { source: { header: 'if-live' } });
    }
    const actor = actorOf(request);
    // A team puts its own remote back by itself.
    requireScope(actor, body.force || body.without ? 'ops' : `activate:${body.app}`);
    return answerOnce(context, request, reply, (remember) =>
      rollBack(onBehalfOf(context, actor), actor, channel, { ...body, ifLive: ifLive.output }, remember),
    );
  });
}

/** The release that the page before ended with. */
function beforeOf(id: string | undefined): number {
  if (id === undefined) return LARGEST_NUMBER;
  const parsed = v.safeParse(ReleaseIdSchema, id);
  if (parsed.success) return Math.min(releaseNumber(parsed.output), LARGEST_NUMBER);
  throw baseErrors.request_malformed(
    `"before" is "${id.slice(0, 20)}": the id of a release is needed, such as "r12".`,
    { source: { parameter: 'before' } },
  );
}
