import type { FastifyInstance } from 'fastify';
import { parseBody } from '@site/server/validate';
import { findPreview } from '../previews/preview.repository.ts';
import { describePreview, endPreview, makePreview, previewDocument, withLink } from '../previews/previews.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { onBehalfOf } from '../use-cases/on-behalf-of.ts';
import { actorOf, requireEdge, requireScope } from './authorize.ts';
import { answerOnce } from './command.ts';
import { PreviewRequestSchema, RevocationRequestSchema } from './upkeep-request.schema.ts';

/** Preview links: making and ending them, and what the edges need to show them. */
export function previewRoutes(app: FastifyInstance, context: RegistryContext): void {
  app.post('/v1/previews', async (request, reply) => {
    const body = parseBody(PreviewRequestSchema, request.body);
    const actor = actorOf(request);
    requireScope(actor, `publish:${body.app}`, `activate:${body.app}`);
    void reply.header('cache-control', 'no-store');
    return answerOnce(
      context,
      request,
      reply,
      (remember) => makePreview(onBehalfOf(context, actor), actor, body, remember),
      (made) => withLink(context, made),
    );
  });

  app.post<{ Params: { id: string } }>('/v1/previews/:id/revocations', async (request, reply) => {
    const body = parseBody(RevocationRequestSchema, request.body);
    const actor = actorOf(request);
    const { id } = request.params;
    const preview = await findPreview(context.db, id);
    // Without one, whoever asks learns only that there is none.
    if (preview) requireScope(actor, `publish:${preview.app}`, `activate:${preview.app}`);
    return answerOnce(context, request, reply, (remember) => endPreview(context, actor, id, body, remember));
  });

  app.get<{ Params: { hash: string } }>('/v1/previews/:hash', async (request, reply) => {
    requireEdge(actorOf(request));
    void reply.header('cache-control', 'no-store');
    return describePreview(context, request.params.hash);
  });

  app.get<{ Params: { hash: string } }>('/v1/previews/:hash/document', async (request, reply) => {
    requireEdge(actorOf(request));
    void reply.header('cache-control', 'no-store');
    return previewDocument(context, request.params.hash);
  });
}
