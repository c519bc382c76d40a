import type { FastifyInstance } from 'fastify';
import { parseBody } from '@site/server/validate';
import type { RegistryContext } from '../use-cases/context.ts';
import { makeToken, revokeToken, showTokens, withSecret } from '../use-cases/manage-tokens.ts';
import { actorOf, requireScope } from './authorize.ts';
import { answerOnce } from './command.ts';
import { PAGE, wholeNumber, type PageQuery } from './page-query.ts';
import { RevocationRequestSchema, TokenRequestSchema } from './upkeep-request.schema.ts';

/** The tokens that this very API is called with. For ops only. */
export function tokenRoutes(app: FastifyInstance, context: RegistryContext): void {
  app.post('/v1/tokens', async (request, reply) => {
    const body = parseBody(TokenRequestSchema, request.body);
    const actor = actorOf(request);
    requireScope(actor, 'ops');
    void reply.header('cache-control', 'no-store');
    return answerOnce(
      context,
      request,
      reply,
      (remember) => makeToken(context, actor, body, remember),
      (made) => withSecret(context, made),
    );
  });

  app.get<{ Querystring: PageQuery }>('/v1/tokens', async (request) => {
    requireScope(actorOf(request), 'ops');
    const { limit = String(PAGE), before } = request.query;
    return showTokens(context, { limit: wholeNumber('limit', limit, PAGE), before });
  });

  app.post<{ Params: { id: string } }>('/v1/tokens/:id/revocations', async (request, reply) => {
    const body = parseBody(RevocationRequestSchema, request.body);
    const actor = actorOf(request);
    requireScope(actor, 'ops');
    const { id } = request.params;
    return answerOnce(context, request, reply, (remember) => revokeToken(context, actor, id, body, remember));
  });
}
