import type { FastifyInstance } from 'fastify';
import { alertCalls } from '@site/contract/registry-calls/alert.calls';
import { shownUrl } from './alert.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { addAlertHook, removeAlertHook, requireHook, showAlertHooks } from './manage-alert-hooks.ts';
import { sendTest } from './send-alerts.ts';
import { mountCalls } from '../kernel/mount-calls.ts';

export function alertRoutes(api: FastifyInstance, base: RegistryContext): void {
  const { db, now } = base;
  mountCalls(api, base, alertCalls, {
    addAlertHook({ command, body, reply }) {
      void reply.header('cache-control', 'no-store');
      return addAlertHook(command, body);
    },

    listAlertHooks: () => showAlertHooks(db),

    removeAlertHook: ({ command, params: { hook }, body }) => removeAlertHook(command, hook, body),

    async testAlertHook({ params }) {
      const hook = await requireHook(db, params.hook);
      return { id: hook.id, to: shownUrl(hook.url), problem: await sendTest(hook, now()) };
    },
  });
}
