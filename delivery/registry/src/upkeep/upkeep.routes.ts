import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { upkeepCalls } from '@site/contract/registry-calls/upkeep.calls';
import { restoreBackup } from './restore-backup.ts';
import { takeBackup } from './take-backup.ts';
import { listAuditEvents } from '../kernel/audit.repository.ts';
import { duringChange } from '../kernel/blob-protection.ts';
import { collectGarbage } from './collect-garbage.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { makeToken, revokeToken, showTokens } from '../access/index.ts';
import { oneAtATime } from '../kernel/scheduling.ts';
import { recover } from './recover.ts';
import { verifyStore } from './verify-store.ts';
import { mountCalls } from '../kernel/mount-calls.ts';

const TAR = 'application/x-tar';

export function upkeepRoutes(
  api: FastifyInstance,
  base: RegistryContext,
  compressLater: (integrities: readonly string[]) => void,
): void {
  // Streamed: a backup does not fit into memory.
  api.addContentTypeParser(TAR, (_request, payload, done) => done(null, payload));

  // Reads everything, and any token with `read` may request it.
  const verify = oneAtATime(() =>
    duringChange(
      base,
      'POST /v1/verifications',
      () => verifyStore(base),
      (error) => api.log.warn({ err: error }, 'the end of a verification could not be recorded'),
    ),
  );

  mountCalls(api, base, upkeepCalls, {
    makeToken({ command, body, reply }) {
      void reply.header('cache-control', 'no-store');
      return makeToken(command, body);
    },

    listTokens: ({ query }) => showTokens(base, query),

    revokeToken: ({ command, params: { token }, body }) => revokeToken(command, token, body),

    verifyStore: verify,

    collectGarbage: ({ command, body }) => collectGarbage(command, body),

    async takeBackup({ request, reply }) {
      const archive = await takeBackup(base, (error) => {
        request.log.error({ err: error }, 'a backup broke off');
      });
      void reply.type(TAR).header('cache-control', 'no-store');
      return archive;
    },

    restoreBackup: {
      hasNoLimit: true,
      onSend: endRefused,
      act: ({ command, body }) => restoreBackup(command, body as Readable, compressLater),
    },

    recover: ({ command, body }) => recover(command, body),

    async listAudit({ query }) {
      const since = query.since === undefined ? undefined : new Date(query.since);
      return { events: await listAuditEvents(base.db, { ...query, since }) };
    },
  });
}

/** The rest of a rejected archive is not read, so its connection must be closed. */
function endRefused(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  if (reply.statusCode >= 400) void reply.header('connection', 'close');
  done(null, payload);
}
