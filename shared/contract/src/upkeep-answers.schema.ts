import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from './app-name.schema.ts';
import { QuarantinedSchema } from './channel-answers.schema.ts';
import { mapSchema } from './map.schema.ts';
import { IntegritySchema } from './version-manifest.schema.ts';

/** `POST /v1/versions`, with `?dry-run=true` too. */
export const PublishAnswerSchema = v.object({
  app: AppNameSchema,
  version: VersionIdSchema,
  /** False when this very version was published before, and in a dry run. */
  created: v.boolean(),
  /** The version of the app that visitors see now. */
  live: v.nullable(VersionIdSchema),
  /** Why this version was taken off the site before, if it was: activating it needs "force". */
  quarantined: v.nullable(QuarantinedSchema),
  checked: v.object({
    /** Pages (each variant counts) that were rendered to see whether they do. */
    rendered: v.number(),
    /** Every size budget that was looked at; bytes as they travel, in brotli. */
    /** For each page rendered with the live site its largest document, styles and release data included. `sent`: in brotli. */
    documents: v.array(v.object({ path: v.string(), bytes: v.number(), sent: v.number() })),
    budgets: v.array(v.object({ name: v.string(), bytes: v.number(), budget: v.number() })),
    /** What could not be checked now. */
    warnings: v.optional(v.array(v.string()), []),
  }),
  /** What was reserved for the app with it, which only ops may: paths that nobody else has. */
  reserved: v.optional(v.array(v.string())),
  dryRun: v.boolean(),
});
export type PublishAnswer = v.InferOutput<typeof PublishAnswerSchema>;

/** `POST /v1/tokens`: the only time that the token is shown. */
export const TokenMadeSchema = v.object({
  id: v.string(),
  name: v.string(),
  scopes: v.array(v.string()),
  expiresAt: v.nullable(v.string()),
  /** Null in a dry run. */
  token: v.nullable(v.string()),
  dryRun: v.optional(v.boolean()),
});
export type TokenMade = v.InferOutput<typeof TokenMadeSchema>;

/** `GET /v1/tokens`, newest first: all of them, also those that no longer open anything. */
export const TokensAnswerSchema = v.object({
  /** To be asked with as "before" for the tokens that follow; null when there are no more. */
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
  /** False when it was revoked before. */
  changed: v.boolean(),
  dryRun: v.optional(v.boolean()),
});
export type RevocationAnswer = v.InferOutput<typeof RevocationAnswerSchema>;

/** A blob that is not what it should be, and some of what names it, such as `mfe-blocks@1.0.0-…: chunk.js`. */
const BadBlobSchema = v.object({ integrity: IntegritySchema, usedBy: v.array(v.string()) });

/** `POST /v1/verifications`. */
export const VerificationAnswerSchema = v.object({
  artifacts: v.object({
    /** How many different blobs are named by a version, release or rendered page. */
    checked: v.number(),
    missing: v.array(BadBlobSchema),
    /** `copies`: the contents are right, but a compressed copy of them is not. */
    damaged: v.array(v.object({ ...BadBlobSchema.entries, what: v.picklist(['contents', 'copies']) })),
  }),
  audit: v.object({
    entries: v.number(),
    /** Whether each entry follows from the one before it, up to the recorded end. */
    ok: v.boolean(),
    problem: v.nullable(v.string()),
    /** What the signed anchors in the artifact store say of the log. */
    anchors: v.object({
      /** The public key that signs them. */
      key: v.string(),
      checked: v.number(),
      newest: v.nullable(v.object({ sequence: v.number(), hash: v.string(), at: v.string() })),
      /** Restores from a backup: up to which entry it went, and how many anchored entries after it were given up. */
      restored: v.array(v.object({ at: v.string(), sequence: v.number(), givenUp: v.number() })),
      /** A log that was shortened or rewritten; anchors that are missing or forged. */
      problems: v.array(v.string()),
    }),
  }),
});
export type VerificationAnswer = v.InferOutput<typeof VerificationAnswerSchema>;

/** `POST /v1/collections`. */
export const CollectionAnswerSchema = v.object({
  deleted: v.object({ blobs: v.number(), bytes: v.number() }),
  /** Versions that were collected: they stay in the history, but must be published again before they can be activated. */
  versions: v.array(v.object({ app: AppNameSchema, version: VersionIdSchema })),
  /** Blobs that stay. */
  kept: v.number(),
  dryRun: v.optional(v.boolean()),
});
export type CollectionAnswer = v.InferOutput<typeof CollectionAnswerSchema>;

/** `POST /v1/restore`. */
export const RestoreAnswerSchema = v.object({
  /** When the backup was made. */
  takenAt: v.string(),
  blobs: v.number(),
  /** Rows of all tables. */
  rows: v.number(),
  /** Blobs that were missing or damaged when the backup was made already. */
  lacking: v.array(IntegritySchema),
  /** What is in force as it was when the backup was made: later revocations, removals and freezes are lost. */
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

/** `GET /v1/audit?limit=&before=`, newest first. `before` is the `sequence` of the last one that was read. */
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
