import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { PathPatternsSchema } from '../path-reservation.schema.ts';
import { ReasonSchema } from '../author-fields.ts';
import { ChannelNameSchema, RetiredSchema } from '../release.schema.ts';
import { OwnerSchema } from '../remote-config.schema.ts';
import { call } from './call.ts';
import { dryRun } from './fields.ts';

const owned = { owner: OwnerSchema, paths: PathPatternsSchema };

export const AppRequestSchema = v.pipe(
  v.strictObject({ app: AppNameSchema, ...owned, ...dryRun }),
  v.forward(
    v.check(({ app, paths }) => app === 'shell' || paths.length > 0, 'Name the reserved paths of the app.'),
    ['paths'],
  ),
);
export type AppRequest = v.InferOutput<typeof AppRequestSchema>;

export const AppChangeRequestSchema = v.pipe(
  v.strictObject({ ...v.partial(v.object(owned)).entries, reason: ReasonSchema, ...dryRun }),
  v.check(({ owner, paths }) => owner !== undefined || paths !== undefined, 'Name the owner or the paths.'),
);
export type AppChangeRequest = v.InferOutput<typeof AppChangeRequestSchema>;

const OwnedAppSchema = v.object({ app: v.string(), owner: v.string(), paths: v.array(v.string()) });
export type OwnedApp = v.InferOutput<typeof OwnedAppSchema>;

const OwnedAnswerSchema = v.object({
  ...OwnedAppSchema.entries,
  changed: v.boolean(),
  tokens: v.optional(v.array(v.string())),
  trusts: v.optional(v.array(v.object({ id: v.string(), subject: v.string() }))),
  dryRun: v.optional(v.boolean()),
});
export type OwnedAnswer = v.InferOutput<typeof OwnedAnswerSchema>;

export const appCalls = {
  createApp: call({
    method: 'POST',
    path: '/v1/apps',
    summary: 'Register an app and reserve its paths',
    description: '"/careers/*" includes "/careers". Repeating a registration is not an error.',
    body: AppRequestSchema,
    answer: OwnedAnswerSchema,
    created: true,
    scope: 'ops',
    once: true,
    errors: ['app_exists', 'path_reserved'],
  }),
  changeApp: call({
    method: 'POST',
    path: '/v1/apps/:app/changes',
    summary: 'Change the owner or the reserved paths of an app',
    description:
      'Live versions do not change: reservations are checked when a version is published or activated.',
    params: { app: AppNameSchema },
    body: AppChangeRequestSchema,
    answer: OwnedAnswerSchema,
    scope: 'ops',
    once: true,
    errors: ['app_unregistered', 'path_reserved'],
  }),
  listOwnedApps: call({
    method: 'GET',
    path: '/v1/channels/:channel/apps',
    summary: 'List all registered apps with owner, paths and live version',
    params: { channel: ChannelNameSchema },
    answer: v.object({
      apps: v.array(
        v.object({
          ...OwnedAppSchema.entries,
          live: v.nullable(v.string()),
          retired: v.nullable(RetiredSchema),
          newest: v.nullable(v.string()),
        }),
      ),
    }),
    scope: 'any token',
    errors: ['channel_unknown'],
  }),
};
