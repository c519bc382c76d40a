import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from './app-name.schema.ts';
import {
  CanaryShareSchema,
  ChannelNameSchema,
  ChannelStateSchema,
  ReleaseIdSchema,
  ReleaseSchema,
} from './release.schema.ts';

export const AppChangeSchema = v.object({
  app: v.string(),
  from: v.nullable(v.string()),
  to: v.nullable(v.string()),
});
export type AppChange = v.InferOutput<typeof AppChangeSchema>;

export const RetirementSchema = v.object({
  app: v.string(),
  is: v.picklist(['retired', 'back']),
  /** The redirect target of a retired app. Null: 410 Gone. */
  to: v.nullable(v.string()),
});
export type Retirement = v.InferOutput<typeof RetirementSchema>;

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
  revision: v.number(),
  release: v.nullable(ReleaseSchema),
  /** The running canaries, oldest first. Each release records the canary's start. */
  canaries: v.array(v.object({ ...CanaryShareSchema.entries, release: ReleaseSchema })),
  freezes: v.array(FreezeSchema),
  edges: v.array(
    v.object({
      id: v.string(),
      release: v.nullable(ReleaseIdSchema),
      canaries: v.array(CanaryShareSchema),
      seenAt: v.string(),
      /** Whether it reported recently enough for releases to wait for it. */
      alive: v.boolean(),
      /** Whether it serves a release, or follows a log entry, that the database does not have. */
      diverged: v.optional(v.boolean()),
      /** The difference of its clock from the database's, if known. */
      clockSkewMs: v.optional(v.number()),
    }),
  ),
  /** The caches in front of the edges that the registry purges; `waiting`: purges that are not confirmed yet. */
  caches: v.optional(
    v.array(v.object({ name: v.string(), waiting: v.number(), problem: v.nullable(v.string()) })),
  ),
});
export type ChannelAnswer = v.InferOutput<typeof ChannelAnswerSchema>;

/**
 * The response to every change of a channel: releases, canaries, promotions, aborts, rollbacks.
 * `release` is the new release; if there is none, the affected one: the canary's for a share, the live one
 * for an abort. `canary` is the started or changed one. With `dryRun` nothing was changed, and a new release's id is a
 * guess.
 */
export const ChangeAnswerSchema = v.object({
  release: ReleaseSchema,
  changed: v.boolean(),
  rendered: v.number(),
  changes: v.array(AppChangeSchema),
  canary: v.nullable(CanaryShareSchema),
  revoked: v.optional(v.array(ReleaseIdSchema)),
  quarantined: v.optional(v.object({ app: v.string(), version: v.string() })),
  canariesEnded: v.optional(
    v.array(v.object({ release: ReleaseIdSchema, app: v.string(), because: v.string() })),
  ),
  putBack: v.optional(v.object({ app: v.string(), version: v.string(), proven: v.nullable(v.string()) })),
  links: v.optional(v.array(v.object({ app: v.string(), path: v.string(), to: v.array(v.string()) }))),
  dryRun: v.optional(v.boolean()),
});
export type ChangeAnswer = v.InferOutput<typeof ChangeAnswerSchema>;

export const FreezesAnswerSchema = v.object({
  changed: v.boolean(),
  freezes: v.array(FreezeSchema),
  dryRun: v.optional(v.boolean()),
});
export type FreezesAnswer = v.InferOutput<typeof FreezesAnswerSchema>;

export const QuarantinedSchema = v.object({ reason: v.string(), by: v.string(), at: v.string() });

export const QuarantineAnswerSchema = v.object({
  app: AppNameSchema,
  version: VersionIdSchema,
  changed: v.boolean(),
  quarantined: v.nullable(QuarantinedSchema),
  live: v.array(ChannelNameSchema),
  canary: v.array(ChannelNameSchema),
  fallback: v.array(v.object({ channel: ChannelNameSchema, live: VersionIdSchema })),
  dryRun: v.optional(v.boolean()),
});
export type QuarantineAnswer = v.InferOutput<typeof QuarantineAnswerSchema>;

/** `GET /v1/releases/:from/diff/:to`. */
export const ReleaseDiffSchema = v.object({
  from: ReleaseIdSchema,
  to: ReleaseIdSchema,
  apps: v.array(AppChangeSchema),
  config: v.array(v.object({ key: v.string(), from: v.nullable(v.string()), to: v.nullable(v.string()) })),
  pages: v.object({ added: v.array(v.string()), removed: v.array(v.string()) }),
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

export const EdgeForgottenSchema = v.object({
  id: v.string(),
  seenAt: v.string(),
  dryRun: v.optional(v.boolean()),
});
export type EdgeForgotten = v.InferOutput<typeof EdgeForgottenSchema>;
