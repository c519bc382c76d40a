import type { FastifyInstance } from 'fastify';
import { channelCalls } from '@site/contract/registry-calls/channel.calls';
import { LARGEST_NUMBER } from '@site/contract/registry-calls/fields';
import { findChannel } from '../database/channel.repository.ts';
import { listEdges } from '../database/edge.repository.ts';
import { listFreezes } from '../database/freeze.repository.ts';
import { channelState, findRelease, listReleases, releaseNumber } from '../database/release.repository.ts';
import { abortCanary } from '../use-cases/abort-canary.ts';
import { changeShare } from '../use-cases/change-share.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { createRelease } from '../use-cases/create-release.ts';
import { freezeChannel, unfreezeChannel } from '../use-cases/freeze-channel.ts';
import { requireApp } from '../use-cases/guards.ts';
import { promoteCanary } from '../use-cases/promote-canary.ts';
import { rollBack } from '../use-cases/roll-back.ts';
import type { ChannelEvents } from './channel-events.ts';
import { edgeAnswer } from './edge.routes.ts';
import { mountCalls } from './mount-calls.ts';

/** Channels: what is live, and everything that changes it. */
export function channelRoutes(api: FastifyInstance, base: RegistryContext, events: ChannelEvents): void {
  const { db, now } = base;

  mountCalls(api, base, channelCalls, {
    // All in one look, so that the parts of the answer belong together.
    readChannel: ({ params: { channel } }) =>
      db
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
        }),

    followChannel: ({ params: { channel }, reply, actor }) => events.serve(channel, reply, actor.tokenId),

    async listReleases({ params: { channel }, query: { limit, before, app } }) {
      if (app !== undefined) await requireApp(db, app, { parameter: 'app' });
      const releases = await listReleases(db, channel, {
        limit,
        // The release that the page before ended with.
        before: before === undefined ? LARGEST_NUMBER : Math.min(releaseNumber(before), LARGEST_NUMBER),
        app,
      });
      return {
        releases: releases.map(({ release, isRevoked, asCandidate, changes }) => ({
          ...release,
          revoked: isRevoked,
          candidate: asCandidate,
          changes,
        })),
      };
    },

    createRelease: ({ context, actor, params: { channel }, body, remember }) =>
      createRelease(context, actor, channel, body, remember),

    rollBack: ({ context, actor, params: { channel }, headers, body, remember }) =>
      rollBack(context, actor, channel, { ...body, ifLive: headers['if-live'] }, remember),

    changeShare: ({ context, actor, params: { channel }, body, remember }) =>
      changeShare(context, actor, channel, body, remember),

    promoteCanary: ({ context, actor, params: { channel }, body, remember }) =>
      promoteCanary(context, actor, channel, body, remember),

    abortCanary: ({ context, actor, params: { channel }, body, remember }) =>
      abortCanary(context, actor, channel, body, remember),

    freezeChannel: ({ context, actor, params: { channel }, body, remember }) =>
      freezeChannel(context, actor, channel, body, remember),

    unfreezeChannel: ({ context, actor, params: { channel }, body, remember }) =>
      unfreezeChannel(context, actor, channel, body, remember),
  });
}
