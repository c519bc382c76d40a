import type { FastifyInstance } from 'fastify';
import { parseBody } from '@site/server/validate';
import type { RegistryContext } from '../use-cases/context.ts';
import { once } from '../use-cases/idempotency.ts';
import { makeToken, revokeToken, showTokens, withSecret } from '../use-cases/manage-tokens.ts';
import { actorOf, requireScope } from './authorize.ts';
import { commandOf } from './command.ts';
import { RevocationRequestSchema, TokenRequestSchema } from './upkeep-request.schema.ts';

/** The tokens that this very API is called with. For ops only. */
export function tokenRoutes(app: FastifyInstance, context: RegistryContext): void {
  app.post('/v1/tokens', async (request, reply) => {
    const body = parseBody(TokenRequestSchema, request.body);
    const actor = actorOf(request);
    requireScope(actor, 'ops');
    const answer = await once(context, actor, commandOf(request), (remember) =>
      makeToken(context, actor, body, remember),
    );
    return reply
      .status(answer.status)
      .header('cache-control', 'no-store')
      .header('idempotency-replayed', String(answer.replayed))
      .send(await withSecret(context, answer.body));
  });

  app.get('/v1/tokens', async (request) => {
    requireScope(actorOf(request), 'ops');
    return showTokens(context);
  });

  app.post<{ Params: { id: string } }>('/v1/tokens/:id/revocations', async (request, reply) => {
    const body = parseBody(RevocationRequestSchema, request.body);
    const actor = actorOf(request);
    requireScope(actor, 'ops');
    const answer = await once(context, actor, commandOf(request), (remember) =>
      revokeToken(context, actor, request.params.id, body, remember),
    );
    return reply
      .status(answer.status)
      .header('idempotency-replayed', String(answer.replayed))
      .send(answer.body);
  });
}
