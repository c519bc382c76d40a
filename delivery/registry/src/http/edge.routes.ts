import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { basisPoints, type ChannelAnswer } from '@site/contract';
import { baseErrors } from '@site/server/base-errors';
import { parseBody } from '@site/server/validate';
import { deleteEdge, saveEdge, type EdgeReport } from '../database/edge.repository.ts';
import { releaseId, releaseNumber } from '../database/release.repository.ts';
import { EdgeIdSchema } from '../domain/scopes.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { forgetEdge, isAlive } from '../use-cases/forget-edge.ts';
import { actorOf, requireScope } from './authorize.ts';
import { answerOnce } from './command.ts';
import { HeartbeatSchema } from './request.schema.ts';
import { RevocationRequestSchema } from './upkeep-request.schema.ts';

/** What edges tell of themselves: each with its own token, and of itself alone. */
export function edgeRoutes(app: FastifyInstance, context: RegistryContext): void {
  const { db, now } = context;

  app.put<{ Params: { id: string } }>('/v1/edges/:id', async (request, reply) => {
    const id = edgeIdOf(request.params.id);
    requireScope(actorOf(request), `edge:${id}`);
    const { channel, release, candidate } = parseBody(HeartbeatSchema, request.body);
    await saveEdge(db, {
      id,
      channel,
      release: release === null ? null : releaseNumber(release),
      candidate: candidate
        ? { release: releaseNumber(candidate.release), basisPoints: basisPoints(candidate.share) }
        : null,
      seenAt: now(),
    });
    return reply.status(204).send();
  });

  app.delete<{ Params: { id: string } }>('/v1/edges/:id', async (request, reply) => {
    const id = edgeIdOf(request.params.id);
    requireScope(actorOf(request), `edge:${id}`);
    await deleteEdge(db, id);
    return reply.status(204).send();
  });

  app.post<{ Params: { id: string } }>('/v1/edges/:id/removals', async (request, reply) => {
    const id = edgeIdOf(request.params.id);
    const body = parseBody(RevocationRequestSchema, request.body);
    const actor = actorOf(request);
    requireScope(actor, 'ops');
    return answerOnce(context, request, reply, (remember) => forgetEdge(context, actor, id, body, remember));
  });
}

function edgeIdOf(text: string): string {
  const id = v.safeParse(EdgeIdSchema, text);
  if (id.success) return id.output;
  throw baseErrors.request_malformed(id.issues[0].message);
}

export function edgeAnswer(
  { id, release, candidate, seenAt }: EdgeReport,
  now: Date,
): ChannelAnswer['edges'][number] {
  return {
    id,
    release: release === null ? null : releaseId(release),
    candidate: candidate && {
      release: releaseId(candidate.release),
      share: candidate.basisPoints / 100,
    },
    seenAt: seenAt.toISOString(),
    alive: isAlive({ seenAt }, now),
  };
}
