import type { FastifyInstance } from 'fastify';
import { previewCalls } from '@site/contract/registry-calls/preview.calls';
import { findPreview } from '../database/preview.repository.ts';
import { describePreview, endPreview, makePreview, previewDocument, withLink } from '../previews/previews.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { requireScope } from '../use-cases/require-scope.ts';
import { mountCalls } from './mount-calls.ts';

/** Preview links: making and ending them, and what the edges need to show them. */
export function previewRoutes(api: FastifyInstance, base: RegistryContext): void {
  mountCalls(api, base, previewCalls, {
    makePreview: {
      act({ context, actor, body, remember, reply }) {
        void reply.header('cache-control', 'no-store');
        return makePreview(context, actor, body, remember);
      },
      complete: (made) => withLink(base, made),
    },

    async endPreview({ context, actor, params: { preview: id }, body, remember }) {
      const preview = await findPreview(base.db, id);
      // Without one, whoever asks learns only that there is none.
      if (preview) requireScope(actor, `publish:${preview.app}`, `activate:${preview.app}`);
      return endPreview(context, actor, id, body, remember);
    },

    readPreview({ params: { hash }, reply }) {
      void reply.header('cache-control', 'no-store');
      return describePreview(base, hash);
    },

    // Rendered on behalf of the preview's author, and not of the edge that asks.
    readPreviewDocument({ params: { hash }, reply }) {
      void reply.header('cache-control', 'no-store');
      return previewDocument(base, hash);
    },
  });
}
