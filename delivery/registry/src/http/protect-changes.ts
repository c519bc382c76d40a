import type { FastifyInstance, RouteHandlerMethod, RouteOptions } from 'fastify';
import { beginChange } from '../use-cases/blob-protection.ts';
import type { RegistryContext } from '../use-cases/context.ts';

/**
 * Wraps every route that relies on blobs it finds in the store, so that no collection takes them away between the look
 * and the change. The wrapper ends with the handler and not with the connection: a client that goes away does not stop
 * what it has begun. Call it before the routes are added.
 */
export function protectChanges(api: FastifyInstance, context: RegistryContext): void {
  api.addHook('onRoute', (route) => {
    if (!reliesOnBlobs(route)) return;
    const handler = route.handler;
    route.handler = async function (this: ThisParameterType<RouteHandlerMethod>, request, reply) {
      const change = await beginChange(context, `${request.method} ${route.url}`);
      try {
        const answer: unknown = await handler.call(this, request, reply);
        return answer;
      } finally {
        // One that stays behind expires by itself; the answer is right all the same.
        await change.end().catch((error: unknown) => {
          request.log.warn({ err: error }, 'the end of a change could not be noted');
        });
      }
    };
  });
}

function reliesOnBlobs({ method, url }: Pick<RouteOptions, 'method' | 'url'>): boolean {
  return method === 'POST'
    ? url === '/v1/versions' || url === '/v1/previews' || url.startsWith('/v1/channels/')
    : url === '/v1/previews/:hash/document';
}
