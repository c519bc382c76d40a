import type { FastifyInstance } from 'fastify';
import { releaseNumber } from '@site/contract';
import { channelCalls } from '@site/contract/registry-calls/channel.calls';
import { LARGEST_NUMBER } from '@site/contract/registry-calls/fields';
import { canaryShare, findChannel } from './channel.repository.ts';
import { listEdges } from '../edges/index.ts';
import { listFreezes } from './freeze.repository.ts';
import { createLiveForms } from './live-forms.ts';
import { atOneMoment } from '../kernel/in-transaction.ts';
import { channelState } from './channel-state.repository.ts';
import { listReleases } from './release.repository.ts';
import { abortCanary } from './abort-canary.ts';
import { changeShare } from './change-share.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { listCaches } from '../kernel/cache.repository.ts';
import { createRelease } from './create-release.ts';
import { edgeAnswer } from './edge-answer.ts';
import { freezeChannel, unfreezeChannel } from './freeze-channel.ts';
import { requireApp } from './refusals.ts';
import { promoteCanary } from './promote-canary.ts';
import { retireApp } from './retire-app.ts';
import { rollBack } from './roll-back.ts';
import { rollBackConfig } from './roll-back-config.ts';
import type { ChannelEvents } from './channel-events.ts';
import { mountCalls } from '../kernel/mount-calls.ts';
import { DAY_MS } from '@site/server/durations';

export function channelRoutes(api: FastifyInstance, base: RegistryContext, events: ChannelEvents): void {
  const { db, now } = base;
  const liveForms = createLiveForms(db);

  mountCalls(api, base, channelCalls, {
    // One snapshot, so that the parts of the response are consistent.
    readChannel: ({ params: { channel } }) =>
      atOneMoment(db, async (moment) => {
        const { live, canaries } = await findChannel(moment, channel);
        return {
          ...(await channelState(moment, channel)),
          release: live?.release ?? null,
          canaries: canaries.map((canary) => ({ ...canaryShare(canary), release: canary.release })),
          freezes: await listFreezes(moment, channel),
          edges: (await listEdges(moment, channel)).map((edge) => edgeAnswer(edge, now())),
          caches: await listCaches(moment, channel),
        };
      }),

    async listDeclaredForms({ params: { channel }, query: { days } }) {
      const kept = days * DAY_MS;
      const snapshot = await findChannel(db, channel);
      const versions = await liveForms(snapshot, new Date(now().getTime() - kept));
      return {
        brand: snapshot.live?.release.config.brand,
        forms: versions.flatMap(({ app, version, ended, forms }) =>
          forms.map((form) => ({
            app,
            version,
            until: ended && new Date(ended.getTime() + kept).toISOString(),
            form,
          })),
        ),
      };
    },

    followChannel: ({ params: { channel }, reply, actor }) => events.serve(channel, reply, actor),

    async listReleases({ params: { channel }, query: { limit, before, app } }) {
      if (app !== undefined) await requireApp(db, app, { parameter: 'app' });
      const releases = await listReleases(db, channel, {
        limit,
        before: before === undefined ? LARGEST_NUMBER : Math.min(releaseNumber(before), LARGEST_NUMBER),
        app,
      });
      return {
        releases: releases.map(({ release, isRevoked, asCanary, changes, retirements }) => ({
          ...release,
          revoked: isRevoked,
          canary: asCanary,
          changes,
          retirements,
        })),
      };
    },

    createRelease: ({ command, params: { channel }, body }) => createRelease(command, channel, body),

    rollBack: ({ command, params: { channel }, headers, body }) =>
      rollBack(command, channel, {
        ...body,
        ifLiveVersion: headers['if-live-version'],
        ifRetiredVersion: headers['if-retired-version'],
      }),

    rollBackConfig: ({ command, params: { channel }, headers, body }) =>
      rollBackConfig(command, channel, { ...body, ifLiveRelease: headers['if-live-release'] }),

    retireApp: ({ command, params: { channel }, body }) => retireApp(command, channel, body),

    changeShare: ({ command, params: { channel }, body }) => changeShare(command, channel, body),

    promoteCanary: ({ command, params: { channel }, body }) => promoteCanary(command, channel, body),

    abortCanary: ({ command, params: { channel }, body }) => abortCanary(command, channel, body),

    freezeChannel: ({ command, params: { channel }, body }) => freezeChannel(command, channel, body),

    unfreezeChannel: ({ command, params: { channel }, body }) => unfreezeChannel(command, channel, body),
  });
}
