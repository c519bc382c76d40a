import * as v from 'valibot';
import {
  AppNameSchema,
  ChannelNameSchema,
  IntegritySchema,
  ReleaseIdSchema,
  SiteConfigSchema,
  VersionIdSchema,
} from '@site/contract';

/** The bodies that the registry's API accepts. */
const ReasonSchema = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'A reason says in a few words why; it stays in the history.'),
  v.maxLength(500, 'A reason has at most 500 characters.'),
);

export const MissingBlobsSchema = v.strictObject({
  integrities: v.pipe(v.array(IntegritySchema), v.maxLength(20_000)),
});

export const ReleaseRequestSchema = v.strictObject({
  apps: v.record(AppNameSchema, VersionIdSchema),
  config: v.optional(SiteConfigSchema),
  reason: ReasonSchema,
  parent: v.optional(ReleaseIdSchema),
  force: v.optional(v.boolean()),
});

export const RollbackRequestSchema = v.strictObject({
  app: AppNameSchema,
  to: v.optional(VersionIdSchema),
  from: v.optional(VersionIdSchema),
  reason: ReasonSchema,
  force: v.optional(v.boolean()),
});

export const HeartbeatSchema = v.strictObject({
  channel: ChannelNameSchema,
  release: v.nullable(ReleaseIdSchema),
});

export const EdgeIdSchema = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9._-]{1,64}$/, 'An edge id has 1 to 64 letters, digits, ".", "_" or "-".'),
);

export const IdempotencyKeySchema = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]{1,100}$/, 'An idempotency key has 1 to 100 printable characters without spaces.'),
);
