import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from './app-name.schema.ts';
import { QuarantinedSchema } from './channel-answers.schema.ts';
import { mapSchema } from './schema-tools.ts';
import { IntegritySchema } from './version-manifest.schema.ts';

export const PublishAnswerSchema = v.object({
  app: AppNameSchema,
  version: VersionIdSchema,
  /** False if the version was already published, and in a dry run. */
  created: v.boolean(),
  live: v.nullable(VersionIdSchema),
  /** The quarantine of this version, if any: activating it requires "force". */
  quarantined: v.nullable(QuarantinedSchema),
  checked: v.object({
    rendered: v.number(),
    /**
     * The largest document of each page rendered with the live site, including styles and release data.
     * `sent`: in brotli.
     */
    documents: v.array(v.object({ path: v.string(), bytes: v.number(), sent: v.number() })),
    budgets: v.array(v.object({ name: v.string(), bytes: v.number(), budget: v.number() })),
    warnings: v.optional(v.array(v.string()), []),
  }),
  reserved: v.optional(v.array(v.string())),
  dryRun: v.boolean(),
});
export type PublishAnswer = v.InferOutput<typeof PublishAnswerSchema>;

/** `POST /v1/tokens`: the only response with the token. */
export const TokenMadeSchema = v.object({
  id: v.string(),
  name: v.string(),
  scopes: v.array(v.string()),
  expiresAt: v.nullable(v.string()),
  token: v.nullable(v.string()),
  dryRun: v.optional(v.boolean()),
});
export type TokenMade = v.InferOutput<typeof TokenMadeSchema>;

/** `GET /v1/tokens`, newest first, including expired and revoked ones. */
export const TokensAnswerSchema = v.object({
  next: v.optional(v.nullable(v.string()), null),
  tokens: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      scopes: v.array(v.string()),
      createdAt: v.string(),
      expiresAt: v.nullable(v.string()),
      revokedAt: v.nullable(v.string()),
      active: v.boolean(),
    }),
  ),
});
export type TokensAnswer = v.InferOutput<typeof TokensAnswerSchema>;

/** `POST /v1/tokens/:id/revocations` and `POST /v1/previews/:id/revocations`. */
export const RevocationAnswerSchema = v.object({
  id: v.string(),
  revokedAt: v.string(),
  changed: v.boolean(),
  dryRun: v.optional(v.boolean()),
});
export type RevocationAnswer = v.InferOutput<typeof RevocationAnswerSchema>;

const BadBlobSchema = v.object({ integrity: IntegritySchema, usedBy: v.array(v.string()) });

/** `POST /v1/verifications`. */
export const VerificationAnswerSchema = v.object({
  artifacts: v.object({
    checked: v.number(),
    missing: v.array(BadBlobSchema),
    /** `copies`: the blob is intact, but a compressed copy is not. */
    damaged: v.array(v.object({ ...BadBlobSchema.entries, what: v.picklist(['contents', 'copies']) })),
  }),
  audit: v.object({
    entries: v.number(),
    ok: v.boolean(),
    problem: v.nullable(v.string()),
    /** The signed anchors of the log in the artifact store. */
    anchors: v.object({
      key: v.string(),
      checked: v.number(),
      newest: v.nullable(v.object({ sequence: v.number(), hash: v.string(), at: v.string() })),
      /**
       * Restores from backups: the last restored entry, and the number of later anchored entries that were
       * discarded.
       */
      restored: v.array(v.object({ at: v.string(), sequence: v.number(), givenUp: v.number() })),
      /** A truncated or rewritten log; missing or forged anchors. */
      problems: v.array(v.string()),
    }),
  }),
});
export type VerificationAnswer = v.InferOutput<typeof VerificationAnswerSchema>;

/** `POST /v1/collections`. */
export const CollectionAnswerSchema = v.object({
  deleted: v.object({ blobs: v.number(), bytes: v.number() }),
  /** Collected versions: they stay in the history, but must be published again before an activation. */
  versions: v.array(v.object({ app: AppNameSchema, version: VersionIdSchema })),
  /** Remaining blobs. */
  kept: v.number(),
  dryRun: v.optional(v.boolean()),
});
export type CollectionAnswer = v.InferOutput<typeof CollectionAnswerSchema>;

/** `POST /v1/restore`. */
export const RestoreAnswerSchema = v.object({
  takenAt: v.string(),
  blobs: v.number(),
  /** Rows of all tables. */
  rows: v.number(),
  /** Blobs that were already missing or damaged in the backup. */
  lacking: v.array(IntegritySchema),
  /** The restored state as of the backup: later revocations, removals and freezes are lost. */
  inForce: v.optional(
    v.object({
      tokens: v.number(),
      trusts: v.number(),
      previews: v.number(),
      freezes: v.number(),
      quarantines: v.number(),
    }),
  ),
  dryRun: v.optional(v.boolean()),
});
export type RestoreAnswer = v.InferOutput<typeof RestoreAnswerSchema>;

/** `POST /v1/recoveries`. */
export const RecoveryAnswerSchema = v.object({
  changed: v.boolean(),
  /** What was confirmed. */
  says: v.nullable(v.string()),
  /** The edges that follow a log entry or serve a release that the database does not have. */
  diverged: v.array(v.string()),
  dryRun: v.optional(v.boolean()),
});
export type RecoveryAnswer = v.InferOutput<typeof RecoveryAnswerSchema>;

/** `GET /v1/audit?limit=&before=`, newest first. `before` is the `sequence` of the last entry. */
export const AuditAnswerSchema = v.object({
  events: v.array(
    v.object({
      sequence: v.number(),
      at: v.string(),
      by: v.string(),
      action: v.string(),
      subject: v.string(),
      details: mapSchema(v.string(), v.unknown()),
      hash: v.string(),
    }),
  ),
});
export type AuditAnswer = v.InferOutput<typeof AuditAnswerSchema>;
