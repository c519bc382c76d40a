import type { FastifyInstance } from 'fastify';
import { appCalls } from '@site/contract/registry-calls/app.calls';
import type { RegistryContext } from '../kernel/context.ts';
import { changeApp, createApp, showOwnedApps } from './manage-apps.ts';
import { mountCalls } from '../kernel/mount-calls.ts';

export function appRoutes(api: FastifyInstance, base: RegistryContext): void {
  mountCalls(api, base, appCalls, {
    createApp: ({ command, body }) => createApp(command, body),
    changeApp: ({ command, params: { app }, body }) => changeApp(command, app, body),
    listOwnedApps: async ({ params: { channel } }) => ({ apps: await showOwnedApps(base, channel) }),
  });
}
