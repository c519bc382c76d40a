import type { FastifyInstance } from 'fastify';
import { CONSOLE_PATH, LINK_FRAGMENT, sessionCalls } from '@site/contract/registry-calls/session.calls';
import { describeSession, makeLink } from './sessions.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { mountCalls } from '../kernel/mount-calls.ts';

export function sessionRoutes(api: FastifyInstance, base: RegistryContext): void {
  mountCalls(api, base, sessionCalls, {
    readSession: ({ actor }) => describeSession(base, actor),

    async makeConsoleLink({ actor, reply }) {
      const { code, expiresAt } = await makeLink(base, actor);
      void reply.status(201);
      // The fragment is never sent to a server, so it is in no log.
      return { path: `${CONSOLE_PATH}#${LINK_FRAGMENT}=${code}`, expiresAt: expiresAt.toISOString() };
    },
  });
}
