import type { FastifyInstance } from 'fastify';
import type { RegistryContext } from '../use-cases/context.ts';
import { diffReleases } from '../use-cases/diff-releases.ts';
import { releaseDocument } from '../use-cases/release-document.ts';
import { releaseOf } from './command.ts';

/** Releases by their ids: they never change. */
export function releaseRoutes(app: FastifyInstance, context: RegistryContext): void {
  app.get<{ Params: { id: string } }>('/v1/releases/:id', async (request) => {
    return (await releaseOf(context, request.params.id)).release;
  });

  app.get<{ Params: { id: string } }>('/v1/releases/:id/document', async (request, reply) => {
    const release = await releaseOf(context, request.params.id);
    void reply.header('cache-control', 'private, max-age=31536000, immutable');
    return releaseDocument(context, release);
  });

  app.get<{ Params: { id: string; other: string } }>('/v1/releases/:id/diff/:other', async (request) => {
    const from = await releaseOf(context, request.params.id);
    const to = await releaseOf(context, request.params.other);
    return diffReleases(context, from.release, to.release);
  });
}
