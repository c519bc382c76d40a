import * as v from 'valibot';
import { ChannelStateSchema, IntegritySchema, ReleaseSchema, VersionManifestSchema } from '@site/contract';

/** What the registry answers, as far as the commands read it. Fields that a newer registry adds are let through. */
const ChangeSchema = v.object({
  app: v.string(),
  from: v.nullable(v.string()),
  to: v.nullable(v.string()),
});
const QuarantineSchema = v.nullable(v.object({ reason: v.string(), by: v.string(), at: v.string() }));

export const MissingSchema = v.object({ missing: v.array(IntegritySchema) });

export const PublishedSchema = v.object({
  app: v.string(),
  version: v.string(),
  created: v.boolean(),
  live: v.nullable(v.string()),
  quarantined: QuarantineSchema,
});

export const AppsSchema = v.object({
  apps: v.array(
    v.object({ app: v.string(), newest: v.string(), live: v.nullable(v.string()), publishedAt: v.string() }),
  ),
});

export const VersionsSchema = v.object({
  versions: v.array(
    v.object({ version: v.string(), publishedAt: v.string(), quarantined: QuarantineSchema }),
  ),
});

export const ManifestSchema = VersionManifestSchema;

export const ChannelSchema = v.object({
  state: ChannelStateSchema,
  release: v.nullable(ReleaseSchema),
  edges: v.array(
    v.object({ id: v.string(), release: v.nullable(v.string()), seenAt: v.string(), alive: v.boolean() }),
  ),
});
export type Channel = v.InferOutput<typeof ChannelSchema>;

export const ReleasedSchema = v.object({
  release: ReleaseSchema,
  changed: v.boolean(),
  rendered: v.number(),
  changes: v.array(ChangeSchema),
});
export type Released = v.InferOutput<typeof ReleasedSchema>;

export const RolledBackSchema = v.object({
  ...ReleasedSchema.entries,
  quarantined: v.object({ app: v.string(), version: v.string() }),
  revoked: v.array(v.string()),
});

export const HistorySchema = v.object({
  releases: v.array(
    v.object({
      id: v.string(),
      kind: v.string(),
      by: v.string(),
      reason: v.string(),
      at: v.string(),
      revoked: v.boolean(),
      changes: v.array(ChangeSchema),
    }),
  ),
});

/** A refusal, as JSON:API writes it. */
export const ErrorsSchema = v.object({
  errors: v.pipe(v.array(v.object({ code: v.string(), detail: v.string() })), v.minLength(1)),
});
