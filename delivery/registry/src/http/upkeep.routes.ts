import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { baseErrors } from '@site/server/base-errors';
import { parseBody } from '@site/server/validate';
import { restoreBackup } from '../backup/restore-backup.ts';
import { takeBackup } from '../backup/take-backup.ts';
import { listAuditEvents } from '../database/audit.repository.ts';
import { duringLongChange } from '../use-cases/blob-protection.ts';
import { collectGarbage, sweep } from '../use-cases/collect-garbage.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { oneAtATime } from '../use-cases/one-at-a-time.ts';
import { verifyStore } from '../use-cases/verify-store.ts';
import { actorOf, requireScope } from './authorize.ts';
import { answerOnce } from './command.ts';
import { wholeNumber } from './page-query.ts';
import { CollectionRequestSchema, VerificationRequestSchema } from './upkeep-request.schema.ts';

const TAR = 'application/x-tar';

/** What ops do to keep a registry in order: verify, collect, back up, restore, and read the audit log. */
export function upkeepRoutes(app: FastifyInstance, context: RegistryContext): void {
  // Not read here: a backup is larger than any memory.
  app.addContentTypeParser(TAR, (_request, payload, done) => done(null, payload));

  // It reads all there is, and whoever may read may ask for it.
  const verify = oneAtATime(() =>
    duringLongChange(context, 'POST /v1/verifications', () => verifyStore(context)),
  );
  app.post('/v1/verifications', async (request) => {
    requireScope(actorOf(request), 'read');
    parseBody(VerificationRequestSchema, request.body ?? {});
    return verify();
  });

  app.post('/v1/collections', async (request, reply) => {
    const actor = actorOf(request);
    requireScope(actor, 'ops');
    const body = parseBody(CollectionRequestSchema, request.body ?? {});
    return answerOnce(
      context,
      request,
      reply,
      (remember) => collectGarbage(context, actor, body, remember),
      async (collected, replayed) => {
        // The answer was remembered before the blobs were deleted: a retry goes on with what was left.
        if (replayed) await sweep(context);
        return collected;
      },
    );
  });

  app.get('/v1/backup', async (request, reply) => {
    requireScope(actorOf(request), 'ops');
    const archive = await takeBackup(context, (error) => {
      request.log.error({ err: error }, 'a backup broke off');
    });
    return reply.type(TAR).header('cache-control', 'no-store').send(archive);
  });

  app.post<{ Querystring: { 'dry-run'?: string } }>(
    '/v1/restore',
    { onSend: endRefused },
    async (request) => {
      const actor = actorOf(request);
      requireScope(actor, 'ops');
      if (!/^application\/x-tar\b/.test(request.headers['content-type'] ?? '')) {
        throw baseErrors.media_type_unsupported(`A backup is sent with "content-type: ${TAR}".`);
      }
      const dryRun = request.query['dry-run'] === 'true';
      return restoreBackup(context, actor, request.body as Readable, { dryRun });
    },
  );

  app.get<{ Querystring: { limit?: string; before?: string } }>('/v1/audit', async (request) => {
    requireScope(actorOf(request), 'read');
    const limit = wholeNumber('limit', request.query.limit ?? '50', 500);
    const before = wholeNumber('before', request.query.before ?? '2147483647', 2_147_483_647);
    return { events: await listAuditEvents(context.db, { limit, before }) };
  });
}

/** Of a refused archive nothing more is read, so its connection is of no more use. */
function endRefused(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  if (reply.statusCode >= 400) void reply.header('connection', 'close');
  done(null, payload);
}
