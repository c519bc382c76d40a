import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from './app-name.schema.ts';
import { ChannelNameSchema, ChannelStateSchema, ReleaseIdSchema, ReleaseSchema } from './release.schema.ts';
import { ShareSchema } from './share.schema.ts';

/** A release's change to one app; `null`: absent. */
export const AppChangeSchema = v.object({
  app: v.string(),
  from: v.nullable(v.string()),
  to: v.nullable(v.string()),
});
export type AppChange = v.InferOutput<typeof AppChangeSchema>;

/** An app that a release retired, restored, or whose redirect target it changed. */
export const RetirementSchema = v.object({
  app: v.string(),
  is: v.picklist(['retired', 'back']),
  /** The redirect target of a retired app. Null: 410 Gone. */
  to: v.nullable(v.string()),
});
export type Retirement = v.InferOutput<typeof RetirementSchema>;

/** A canary's release and share of visitors in percent. */
export const CanaryShareSchema = v.object({ release: ReleaseIdSchema, share: ShareSchema });
export type CanaryShare = v.InferOutput<typeof CanaryShareSchema>;

/** Who froze what, and why. `app` is null when everything on the channel is frozen. */
export const FreezeSchema = v.object({
  app: v.nullable(AppNameSchema),
  by: v.string(),
  at: v.string(),
  reason: v.string(),
});
export type Freeze = v.InferOutput<typeof FreezeSchema>;

/** `GET /v1/channels/:channel`. */
export const ChannelAnswerSchema = v.object({
  state: ChannelStateSchema,
  /** Increases with each change of the channel; events carry it as their id. */
  revision: v.number(),
  release: v.nullable(ReleaseSchema),
  /** The running canary; `since` and `by` tell of its beginning, also after it was carried over to another release. */
  canary: v.nullable(
    v.object({ release: ReleaseSchema, share: ShareSchema, since: v.string(), by: v.string() }),
  ),
  freezes: v.array(FreezeSchema),
  edges: v.array(
    v.object({
      id: v.string(),
      release: v.nullable(ReleaseIdSchema),
      canary: v.nullable(CanaryShareSchema),
      seenAt: v.string(),
      /** Whether it was heard of recently enough to be waited for. */
      alive: v.boolean(),
    }),
  ),
});
export type ChannelAnswer = v.InferOutput<typeof ChannelAnswerSchema>;

/**
 * The response to every change of a channel: releases, canaries, promotions, aborts, rollbacks.
 * `release` is the new release; if there is none, the affected one: the canary's for a share, the live one
 * for an abort. With `dryRun` nothing was changed, and a new release's id is a guess.
 */
export const ChangeAnswerSchema = v.object({
  release: ReleaseSchema,
  /** False when nothing had to change. */
  changed: v.boolean(),
  rendered: v.number(),
  changes: v.array(AppChangeSchema),
  /** The canary that runs after the change. */
  canary: v.nullable(CanaryShareSchema),
  /** The releases that open tabs leave at their next navigation (rollbacks, aborts). */
  revoked: v.optional(v.array(ReleaseIdSchema)),
  /** The version that a rollback took away from the live release: nobody may activate it any more. */
  quarantined: v.optional(v.object({ app: v.string(), version: v.string() })),
  /** The versions that were quarantined with the canary's end: by an abort all that it brought, by a rollback the one that it named. */
  quarantinedVersions: v.optional(v.array(v.object({ app: v.string(), version: v.string() }))),
  /** Why a rollback ended the canary that ran, when it did. */
  canaryEnded: v.optional(v.object({ release: ReleaseIdSchema, because: v.string() })),
  /** The version that a rollback put back, and what shows that it is good. Null: it was live before, and that is all. */
  putBack: v.optional(v.object({ app: v.string(), version: v.string(), proven: v.nullable(v.string()) })),
  /** Of a retirement: the other pages that lead to the app, and the paths to which they do. */
  links: v.optional(v.array(v.object({ app: v.string(), path: v.string(), to: v.array(v.string()) }))),
  dryRun: v.optional(v.boolean()),
});
export type ChangeAnswer = v.InferOutput<typeof ChangeAnswerSchema>;

/** All remaining freezes. */
export const FreezesAnswerSchema = v.object({
  changed: v.boolean(),
  freezes: v.array(FreezeSchema),
  dryRun: v.optional(v.boolean()),
});
export type FreezesAnswer = v.InferOutput<typeof FreezesAnswerSchema>;

export const QuarantinedSchema = v.object({ reason: v.string(), by: v.string(), at: v.string() });

/** What quarantining a version and lifting its quarantine answer. */
export const QuarantineAnswerSchema = v.object({
  app: AppNameSchema,
  version: VersionIdSchema,
  changed: v.boolean(),
  quarantined: v.nullable(QuarantinedSchema),
  /** The channels on which the version is live all the same: a quarantine takes nothing off the site. */
  live: v.array(ChannelNameSchema),
  /** The channels on which a canary shows it. */
  canary: v.array(ChannelNameSchema),
  /** The channels on which browsers still fall back to it when the live version does not load. */
  fallback: v.array(v.object({ channel: ChannelNameSchema, live: VersionIdSchema })),
  dryRun: v.optional(v.boolean()),
});
export type QuarantineAnswer = v.InferOutput<typeof QuarantineAnswerSchema>;

/** `GET /v1/releases/:from/diff/:to`. */
export const ReleaseDiffSchema = v.object({
  from: ReleaseIdSchema,
  to: ReleaseIdSchema,
  apps: v.array(AppChangeSchema),
  /** Changed settings, nested ones as `gateway.base`. */
  config: v.array(v.object({ key: v.string(), from: v.nullable(v.string()), to: v.nullable(v.string()) })),
  /** Paths of pages of all remotes. */
  pages: v.object({ added: v.array(v.string()), removed: v.array(v.string()) }),
  /** Changed browser files by app. */
  files: v.array(
    v.object({
      app: v.string(),
      added: v.array(v.string()),
      removed: v.array(v.string()),
      unchanged: v.number(),
      bytesFrom: v.number(),
      bytesTo: v.number(),
    }),
  ),
});
export type ReleaseDiff = v.InferOutput<typeof ReleaseDiffSchema>;

/** `POST /v1/edges/:id/removals`: an edge that will not come back. `seenAt`: its last report. */
export const EdgeForgottenSchema = v.object({
  id: v.string(),
  seenAt: v.string(),
  dryRun: v.optional(v.boolean()),
});
export type EdgeForgotten = v.InferOutput<typeof EdgeForgottenSchema>;
