import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { AppNameSchema, type AppName } from '@site/contract';
import { parseBody } from '@site/server/validate';
import { registryErrors } from '../errors.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { freezeChannel, unfreezeChannel } from '../use-cases/freeze-channel.ts';
import { quarantineVersion, releaseVersion } from '../use-cases/quarantine-version.ts';
import { actorOf, requireScope } from './authorize.ts';
import { answerOnce, channelOf } from './command.ts';
import { FreezeRequestSchema, QuarantineRequestSchema } from './request.schema.ts';

/** What may not change for now: frozen channels and apps, quarantined versions. */
export function restrictionRoutes(app: FastifyInstance, context: RegistryContext): void {
  for (const [path, act] of [
    ['freezes', freezeChannel],
    ['unfreezes', unfreezeChannel],
  ] as const) {
    app.post<{ Params: { channel: string } }>(`/v1/channels/:channel/${path}`, async (request, reply) => {
      const channel = channelOf(request.params.channel);
      const body = parseBody(FreezeRequestSchema, request.body);
      const actor = actorOf(request);
      requireScope(actor, 'ops');
      return answerOnce(context, request, reply, (remember) => act(context, actor, channel, body, remember));
    });
  }

  for (const [path, act] of [
    ['quarantines', quarantineVersion],
    ['unquarantines', releaseVersion],
  ] as const) {
    app.post<{ Params: { app: string; version: string } }>(
      `/v1/apps/:app/versions/:version/${path}`,
      async (request, reply) => {
        const { version } = request.params;
        const name = appOf(request.params.app);
        const body = parseBody(QuarantineRequestSchema, request.body);
        const actor = actorOf(request);
        requireScope(actor, `activate:${name}`);
        return answerOnce(context, request, reply, (remember) =>
          act(context, actor, { app: name, version, ...body }, remember),
        );
      },
    );
  }
}

function appOf(name: string): AppName {
  const { success, output } = v.safeParse(AppNameSchema, name);
  if (success) return output;
  throw registryErrors.app_unknown(`"${name.slice(0, 50)}" is no name of an app.`);
}
