import type { FastifyInstance } from 'fastify';
import { basisPoints, releaseNumber } from '@site/contract';
import { edgeCalls } from '@site/contract/registry-calls/edge.calls';
import { allowsCaching, deleteEdge, upsertEdge } from './edge.repository.ts';
import { edgeMoved, sendNotice } from '../kernel/notices.ts';
import { signalKey, takeSignals } from '../signals/index.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { forgetEdge } from './forget-edge.ts';
import { mountCalls } from '../kernel/mount-calls.ts';

export function edgeRoutes(api: FastifyInstance, base: RegistryContext): void {
  const { db, now } = base;

  mountCalls(api, base, edgeCalls, {
    reportEdge: async ({
      params: { edge: id },
      body: { channel, release, canaries, digest, log, clock },
      reply,
    }) => {
      const seenAt = now();
      const hasMoved = await upsertEdge(db, {
        id,
        channel,
        release: release === null ? null : releaseNumber(release),
        canaries: canaries.map(({ release: id, app, share, digest: known }) => ({
          release: releaseNumber(id),
          app,
          basisPoints: basisPoints(share),
          digest: known,
        })),
        seenAt,
        clockSkewMs: clock === undefined ? null : clock - seenAt.getTime(),
        digest: digest ?? null,
        log: log ?? null,
      });
      if (hasMoved) await sendNotice(db, edgeMoved(channel));
      void reply.header('cache-control', 'no-store');
      return {
        signals: { key: await signalKey(db), senders: true },
        purges: await allowsCaching(db, id),
      };
    },

    reportSignals: async ({ params: { edge }, body, request }) => ({
      counted: await takeSignals(base, edge, body, (error) => {
        base.metrics.guardFailed();
        request.log.error({ err: error }, 'the guard could not do all of its work');
      }),
    }),

    leaveEdge: ({ params: { edge } }) => deleteEdge(db, edge),

    forgetEdge: ({ command, params: { edge }, body }) => forgetEdge(command, edge, body),
  });
}
