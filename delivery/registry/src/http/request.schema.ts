import * as v from 'valibot';
import {
  AppNameSchema,
  ChannelNameSchema,
  IntegritySchema,
  ReleaseIdSchema,
  ShareSchema,
  SiteConfigSchema,
  VersionIdSchema,
  mapSchema,
  textSchema,
} from '@site/contract';

/** The bodies that the registry's API accepts. */
export const ReasonSchema = textSchema('A reason says in a few words why; it stays in the history.', 500);

/** Checks (and renders) everything, changes nothing. */
const DryRunSchema = v.optional(v.boolean());

export const MissingBlobsSchema = v.strictObject({
  integrities: v.pipe(v.array(IntegritySchema), v.maxLength(20_000)),
});

/** Remotes that a release leaves out. A site without its shell is none. */
const WithoutSchema = v.optional(
  v.pipe(
    v.array(
      v.pipe(
        AppNameSchema,
        v.check((app) => app !== 'shell', 'The shell cannot be left out.'),
      ),
    ),
    v.minLength(1),
    v.maxLength(500),
  ),
);

export const ReleaseRequestSchema = v.pipe(
  v.strictObject({
    apps: mapSchema(AppNameSchema, VersionIdSchema),
    without: WithoutSchema,
    config: v.optional(SiteConfigSchema),
    reason: ReasonSchema,
    parent: v.optional(ReleaseIdSchema),
    force: v.optional(v.boolean()),
    /** Shows the release to this many percent of the visitors first, as the channel's canary. */
    share: v.optional(ShareSchema),
    dryRun: DryRunSchema,
  }),
  v.check(
    ({ apps, without = [] }) => without.every((app) => !(app in apps)),
    'An app is made live or left out, not both.',
  ),
  v.check(({ share, without }) => share === undefined || !without, 'A canary leaves nothing out.'),
);

/** `candidate`: the canary that the author saw; refused when another one runs by now. */
export const ShareRequestSchema = v.strictObject({
  share: ShareSchema,
  reason: ReasonSchema,
  candidate: v.optional(ReleaseIdSchema),
  dryRun: DryRunSchema,
});

export const PromotionRequestSchema = v.strictObject({
  reason: ReasonSchema,
  candidate: v.optional(ReleaseIdSchema),
  dryRun: DryRunSchema,
});

export const AbortRequestSchema = v.strictObject({
  reason: ReasonSchema,
  candidate: v.optional(ReleaseIdSchema),
  /** Bans the versions that the canary brought. */
  quarantine: v.optional(v.boolean()),
  dryRun: DryRunSchema,
});

/** Without `app`: everything on the channel. */
export const FreezeRequestSchema = v.strictObject({
  app: v.optional(AppNameSchema),
  reason: ReasonSchema,
  dryRun: DryRunSchema,
});

export const QuarantineRequestSchema = v.strictObject({ reason: ReasonSchema, dryRun: DryRunSchema });

export const RollbackRequestSchema = v.pipe(
  v.strictObject({
    app: AppNameSchema,
    to: v.optional(VersionIdSchema),
    from: v.optional(VersionIdSchema),
    /** The version in the stable release is meant, also while a canary shows another one. */
    stable: v.optional(v.boolean()),
    without: WithoutSchema,
    reason: ReasonSchema,
    force: v.optional(v.boolean()),
    dryRun: DryRunSchema,
  }),
  v.check(({ app, without = [] }) => !without.includes(app), 'An app is rolled back or left out, not both.'),
);

/** The header `if-live`: the version that the author of a rollback saw. Beside the body, for it is no part of the order. */
export const IfLiveSchema = v.optional(VersionIdSchema);

/** A larger number cannot be a release: the column's type does not hold it. */
const StoredReleaseIdSchema = v.pipe(
  ReleaseIdSchema,
  v.check((id) => Number(id.slice(1)) <= 2_147_483_647, 'No release has such a large number.'),
);

export const HeartbeatSchema = v.strictObject({
  channel: ChannelNameSchema,
  release: v.nullable(StoredReleaseIdSchema),
  /** The canary that it serves as well, and to how many visitors. Without it: none. */
  candidate: v.optional(v.nullable(v.strictObject({ release: StoredReleaseIdSchema, share: ShareSchema }))),
});

export const IdempotencyKeySchema = v.pipe(
  v.string(),
  v.regex(/^[\x21-\x7e]{1,100}$/, 'An idempotency key has 1 to 100 printable characters without spaces.'),
);
