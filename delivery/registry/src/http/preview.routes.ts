import type { FastifyInstance } from 'fastify';
import { parseBody } from '@site/server/validate';
import { findPreview } from '../previews/preview.repository.ts';
import { publicKeys } from '../previews/key-ring.ts';
import { describePreview, endPreview, makePreview, previewDocument } from '../previews/previews.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { actorOf, requireEdge, requireScope } from './authorize.ts';
import { answerOnce } from './command.ts';
import { PreviewRequestSchema, RevocationRequestSchema } from './upkeep-request.schema.ts';

/** Preview links: making and ending them, and what the edges need to show them. */
export function previewRoutes(app: FastifyInstance, context: RegistryContext): void {
  app.post('/v1/previews', async (request, reply) => {
    const body = parseBody(PreviewRequestSchema, request.body);
    const actor = actorOf(request);
    requireScope(actor, `publish:${body.app}`, `activate:${body.app}`);
    return answerOnce(context, request, reply, (remember) => makePreview(context, actor, body, remember));
  });

  app.post<{ Params: { id: string } }>('/v1/previews/:id/revocations', async (request, reply) => {
    const body = parseBody(RevocationRequestSchema, request.body);
    const actor = actorOf(request);
    const { id } = request.params;
    const preview = (await findPreview(context.db, id))?.preview;
    // Without one, whoever asks learns only that there is none.
    if (preview) requireScope(actor, `publish:${preview.app}`, `activate:${preview.app}`);
    return answerOnce(context, request, reply, (remember) => endPreview(context, actor, id, body, remember));
  });

  app.get<{ Params: { id: string } }>('/v1/previews/:id', async (request) => {
    requireEdge(actorOf(request));
    return describePreview(context, request.params.id);
  });

  app.get<{ Params: { id: string } }>('/v1/previews/:id/document', async (request, reply) => {
    requireEdge(actorOf(request));
    void reply.header('cache-control', 'no-store');
    return previewDocument(context, request.params.id);
  });

  app.get('/v1/preview-keys', async (request, reply) => {
    requireEdge(actorOf(request));
    void reply.header('cache-control', 'private, max-age=60');
    return publicKeys(context.db, context.now());
  });
}
