import type { FastifyInstance } from 'fastify';
import { previewCalls } from '@site/contract/registry-calls/preview.calls';
import { listPreviews } from '../channels/index.ts';
import { describePreview, endPreview, makePreview, previewDocument } from './previews.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { newestOfVisible } from '../kernel/visible-apps.ts';
import { mountCalls } from '../kernel/mount-calls.ts';

export function previewRoutes(api: FastifyInstance, base: RegistryContext): void {
  mountCalls(api, base, previewCalls, {
    makePreview({ command, body, reply }) {
      void reply.header('cache-control', 'no-store');
      return makePreview(command, body);
    },

    async listPreviews({ query: { app, limit }, actor }) {
      const rows = await newestOfVisible(
        actor,
        { app, limit },
        (of) => listPreviews(base.db, { app: of, limit }, base.now()),
        ({ created_at }) => created_at,
      );
      return {
        previews: rows.map(({ id, channel, app: of, version, dev, by, created_at, expires_at }) => ({
          id,
          channel,
          app: of,
          version,
          dev,
          by,
          createdAt: created_at.toISOString(),
          expiresAt: expires_at.toISOString(),
        })),
      };
    },

    endPreview: ({ command, params: { preview }, body }) => endPreview(command, preview, body),

    readPreview({ params: { hash }, reply }) {
      void reply.header('cache-control', 'no-store');
      return describePreview(base, hash);
    },

    // Rendered in the queue of the preview's author, not of the edge.
    readPreviewDocument({ params: { hash }, reply }) {
      void reply.header('cache-control', 'no-store');
      return previewDocument(base, hash);
    },
  });
}
