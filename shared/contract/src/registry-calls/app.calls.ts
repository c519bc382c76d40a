import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { PathPatternsSchema } from '../path-reservation.schema.ts';
import { ReasonSchema } from '../reason.schema.ts';
import { ChannelNameSchema, RetiredSchema } from '../release.schema.ts';
import { OwnerSchema } from '../remote-config.schema.ts';
import { call } from './call.ts';
import { dryRun } from './fields.ts';

const owned = { owner: OwnerSchema, paths: PathPatternsSchema };

export const AppRequestSchema = v.pipe(
  v.strictObject({ app: AppNameSchema, ...owned, ...dryRun }),
  v.forward(
    v.check(({ app, paths }) => app === 'shell' || paths.length > 0, 'Say which paths are kept for the app.'),
    ['paths'],
  ),
);
export type AppRequest = v.InferOutput<typeof AppRequestSchema>;

/** What is not named stays. `paths` are all that are kept for it from then on. */
export const AppChangeRequestSchema = v.pipe(
  v.strictObject({ ...v.partial(v.object(owned)).entries, reason: ReasonSchema, ...dryRun }),
  v.check(({ owner, paths }) => owner !== undefined || paths !== undefined, 'Name the owner or the paths.'),
);
export type AppChangeRequest = v.InferOutput<typeof AppChangeRequestSchema>;

/** Whose an app is, and the paths that are kept for it. */
const OwnedAppSchema = v.object({ app: v.string(), owner: v.string(), paths: v.array(v.string()) });
export type OwnedApp = v.InferOutput<typeof OwnedAppSchema>;

const OwnedAnswerSchema = v.object({
  ...OwnedAppSchema.entries,
  changed: v.boolean(),
  /** Of a change: names of the tokens that may publish or activate it, whoever owns it now. */
  tokens: v.optional(v.array(v.string())),
  /** The same of pipelines, which get tokens whenever they want: the trusts that let them in. */
  trusts: v.optional(v.array(v.object({ id: v.string(), subject: v.string() }))),
  dryRun: v.optional(v.boolean()),
});
export type OwnedAnswer = v.InferOutput<typeof OwnedAnswerSchema>;

/** Apps: whose they are, and which paths are kept for them. */
export const appCalls = {
  createApp: call({
    method: 'POST',
    path: '/v1/apps',
    summary: 'Register an app, and keep its paths for it',
    description: '"/careers/*" keeps "/careers", too. Repeating a registration is not an error.',
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
    summary: 'Give an app another owner, or keep other paths for it',
    description:
      'What is live stays as it is: reservations are looked at when a version is published or activated.',
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
    summary: 'Every registered app: whose it is, its paths, and what of it is live',
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
