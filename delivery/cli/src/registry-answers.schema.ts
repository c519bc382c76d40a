import * as v from 'valibot';
import { AppChangeSchema, IntegritySchema } from '@site/contract';

/**
 * What the registry answers beside what stands in the contract, as far as the commands read it. Fields that a newer
 * registry adds are let through.
 */
const QuarantineSchema = v.nullable(v.object({ reason: v.string(), by: v.string(), at: v.string() }));

export const MissingSchema = v.object({ missing: v.array(IntegritySchema) });

export const AppsSchema = v.object({
  apps: v.array(
    v.object({
      app: v.string(),
      newest: v.string(),
      live: v.nullable(v.string()),
      publishedAt: v.string(),
      /** Of the versions that the status shows, those that nobody may activate. */
      quarantined: v.optional(v.array(v.string()), []),
    }),
  ),
});

export const VersionsSchema = v.object({
  /** To be asked with as "before" for the versions that follow; null when there are no more. */
  next: v.optional(v.nullable(v.number()), null),
  versions: v.array(
    v.object({
      version: v.string(),
      publishedAt: v.string(),
      publishedBy: v.string(),
      quarantined: QuarantineSchema,
      /** When its files were removed from the store, if they were. */
      collectedAt: v.optional(v.nullable(v.string()), null),
    }),
  ),
});

export const HistorySchema = v.object({
  releases: v.array(
    v.object({
      id: v.string(),
      kind: v.string(),
      /** Made for a canary: it was never shown to everyone. */
      candidate: v.boolean(),
      by: v.string(),
      reason: v.string(),
      at: v.string(),
      revoked: v.boolean(),
      changes: v.array(AppChangeSchema),
    }),
  ),
});

/** A refusal, as JSON:API writes it. */
export const ErrorsSchema = v.object({
  errors: v.pipe(v.array(v.object({ code: v.string(), detail: v.string() })), v.minLength(1)),
});
