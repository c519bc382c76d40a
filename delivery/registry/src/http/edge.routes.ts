import type { FastifyInstance } from 'fastify';
import { basisPoints, releaseNumber, type ChannelAnswer } from '@site/contract';
import { edgeCalls } from '@site/contract/registry-calls/edge.calls';
import { deleteEdge, upsertEdge, type EdgeReport } from '../database/edge.repository.ts';
import { edgeMoved, sendNotice } from '../database/notices.ts';
import { releaseId } from '../database/release.repository.ts';
import { signalKey } from '../database/signal.repository.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { forgetEdge, isAlive } from '../use-cases/forget-edge.ts';
import { takeSignals } from '../use-cases/take-signals.ts';
import { mountCalls } from './mount-calls.ts';

/** What edges report about themselves. */
export function edgeRoutes(api: FastifyInstance, base: RegistryContext): void {
  const { db, now } = base;

  mountCalls(api, base, edgeCalls, {
    reportEdge: async ({ params: { edge: id }, body: { channel, release, canary }, reply }) => {
      const hasMoved = await upsertEdge(db, {
        id,
        channel,
        release: release === null ? null : releaseNumber(release),
        canary: canary
          ? { release: releaseNumber(canary.release), basisPoints: basisPoints(canary.share) }
          : null,
        seenAt: now(),
      });
      if (hasMoved) await sendNotice(db, edgeMoved(channel));
      void reply.header('cache-control', 'no-store');
      return { signals: { key: await signalKey(db) } };
    },

    reportSignals: async ({ params: { edge }, body }) => ({ counted: await takeSignals(base, edge, body) }),

    leaveEdge: ({ params: { edge } }) => deleteEdge(db, edge),

    forgetEdge: ({ command, params: { edge }, body }) => forgetEdge(command, edge, body),
  });
}

export function edgeAnswer(
  { id, release, canary, seenAt }: EdgeReport,
  now: Date,
): ChannelAnswer['edges'][number] {
  return {
    id,
    release: release === null ? null : releaseId(release),
    canary: canary && {
      release: releaseId(canary.release),
      share: canary.basisPoints / 100,
    },
    seenAt: seenAt.toISOString(),
    alive: isAlive({ seenAt }, now),
  };
}
