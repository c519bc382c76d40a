import type { FastifyInstance } from 'fastify';
import { guardCalls } from '@site/contract/registry-calls/guard.calls';
import { releaseId, requireApp } from '../channels/index.ts';
import { listActions } from './guard-action.repository.ts';
import { listPolicies } from './guard-policy.repository.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { policyAnswer, setGuardPolicy } from './set-guard-policy.ts';
import { showFaults } from '../signals/index.ts';
import { showFallbacks, showHealth, showJudgements, showStages } from './show-health.ts';
import { createFindSources } from '../versions/index.ts';
import { newestOfVisible, filterVisible, sees } from '../kernel/visible-apps.ts';
import { mountCalls } from '../kernel/mount-calls.ts';
import { MINUTE_MS } from '@site/server/durations';

export function guardRoutes(api: FastifyInstance, base: RegistryContext): void {
  const { db, now, store } = base;
  const findSources = createFindSources(store);
  const requireKnown = async (app: string | undefined) => {
    if (app !== undefined) await requireApp(db, app, { parameter: 'app' });
  };

  mountCalls(api, base, guardCalls, {
    async readGuard({ params: { channel }, actor }) {
      const own = ({ app }: { app: string }) => sees(actor, app);
      return {
        policies: (await listPolicies(db, channel)).map(policyAnswer),
        judgements: (await showJudgements(db, channel)).filter(own),
        // Other teams do not see them, because they reveal the health of the canary's app.
        stages: (await showStages(db, channel)).filter(own),
        fallbacks: (await showFallbacks(db, channel)).filter(own),
      };
    },

    setGuard: ({ command, params: { channel }, body }) => setGuardPolicy(command, channel, body),

    async listGuardActions({ params: { channel }, query: { app, limit }, actor }) {
      await requireKnown(app);
      const actions = await newestOfVisible(
        actor,
        { app, limit },
        (of) => listActions(db, channel, { app: of, limit }),
        ({ at }) => at,
      );
      return {
        actions: actions.map(({ subject, at, ...action }) => ({
          ...action,
          release: releaseId(subject),
          at: at.toISOString(),
        })),
      };
    },

    async readHealth({ params: { channel }, query: { app, route, versions, minutes }, actor }) {
      await requireKnown(app);
      const from = new Date(now().getTime() - minutes * MINUTE_MS);
      const wanted = { route, versions: versions?.split(','), from };
      const rows = await filterVisible(actor, app, (of) =>
        showHealth(db, channel, { ...wanted, app: of }, now()),
      );
      return { since: from.toISOString(), rows };
    },

    async listFaults({ params: { channel }, query: { app, version, limit }, actor }) {
      await requireKnown(app);
      const faults = await newestOfVisible(
        actor,
        { app, limit },
        (of) => showFaults(db, findSources, channel, { app: of, version, limit, now: now() }),
        ({ last }) => last,
      );
      return { faults };
    },
  });
}
