import type { FastifyInstance } from 'fastify';
import { appCalls } from '@site/contract/registry-calls/app.calls';
import type { RegistryContext } from '../use-cases/context.ts';
import { changeApp, createApp, showOwnedApps } from '../use-cases/manage-apps.ts';
import { mountCalls } from './mount-calls.ts';

/** Apps: their owners and reserved paths. */
export function appRoutes(api: FastifyInstance, base: RegistryContext): void {
  mountCalls(api, base, appCalls, {
    createApp: ({ command, body }) => createApp(command, body),
    changeApp: ({ command, params: { app }, body }) => changeApp(command, app, body),
    listOwnedApps: async ({ params: { channel } }) => ({ apps: await showOwnedApps(base, channel) }),
  });
}
