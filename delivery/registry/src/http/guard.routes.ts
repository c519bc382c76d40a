import type { FastifyInstance } from 'fastify';
import { guardCalls } from '@site/contract/registry-calls/guard.calls';
import { listActions, listPolicies } from '../database/guard.repository.ts';
import { releaseId } from '../database/release.repository.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { requireApp } from '../use-cases/guards.ts';
import { policyAnswer, setGuardPolicy } from '../use-cases/set-guard-policy.ts';
import { showFaults } from '../use-cases/show-faults.ts';
import { showFallbacks, showHealth, showJudgements, showStages } from '../use-cases/show-health.ts';
import { createFindSources } from '../use-cases/source-places.ts';
import { mountCalls } from './mount-calls.ts';

const MINUTE_MS = 60_000;

/** What browsers told, what follows from it, and what the guard does about it. */
export function guardRoutes(api: FastifyInstance, base: RegistryContext): void {
  const { db, now, store } = base;
  const findSources = createFindSources(store);
  const requireKnown = async (app: string | undefined) => {
    if (app !== undefined) await requireApp(db, app, { parameter: 'app' });
  };

  mountCalls(api, base, guardCalls, {
    readGuard: async ({ params: { channel } }) => ({
      policies: (await listPolicies(db, channel)).map(policyAnswer),
      judgements: await showJudgements(db, channel),
      stages: await showStages(db, channel),
      fallbacks: await showFallbacks(db, channel),
    }),

    setGuard: ({ command, params: { channel }, body }) => setGuardPolicy(command, channel, body),

    async listGuardActions({ params: { channel }, query: { app, limit } }) {
      await requireKnown(app);
      const actions = await listActions(db, channel, { app, limit });
      return {
        actions: actions.map(({ subject, at, ...action }) => ({
          ...action,
          release: releaseId(subject),
          at: at.toISOString(),
        })),
      };
    },

    async readHealth({ params: { channel }, query: { app, route, versions, minutes } }) {
      await requireKnown(app);
      const from = new Date(now().getTime() - minutes * MINUTE_MS);
      const wanted = { app, route, versions: versions?.split(','), from };
      return { since: from.toISOString(), rows: await showHealth(db, channel, wanted, now()) };
    },

    async listFaults({ params: { channel }, query: { app, version, limit } }) {
      await requireKnown(app);
      return { faults: await showFaults(db, findSources, channel, { app, version, limit }) };
    },
  });
}
