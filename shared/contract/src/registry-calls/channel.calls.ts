import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from '../app-name.schema.ts';
import { authorFields, ReasonSchema } from '../author-fields.ts';
import { BrandSchema } from '../brand.schema.ts';
import {
  AppChangeSchema,
  ChangeAnswerSchema,
  ChannelAnswerSchema,
  FreezesAnswerSchema,
  RetirementSchema,
} from '../channel-answers.schema.ts';
import { LiveFormSchema } from '../forms/declared-form.schema.ts';
import { mapSchema } from '../schema-tools.ts';
import { CanaryShareSchema, ChannelNameSchema, ReleaseIdSchema, ReleaseSchema } from '../release.schema.ts';
import { RedirectTargetSchema } from '../route.schema.ts';
import { ShareSchema } from '../share.schema.ts';
import { NewSiteConfigSchema } from '../site-config.schema.ts';
import { call } from './call.ts';
import { dryRun, numberInQuery, PAGE, releaseInQuery, wholeNumber, WithoutSchema } from './fields.ts';

const params = { channel: ChannelNameSchema };

/** Common to all changes of a channel. The response has the live release. */
const change = { method: 'POST', params, once: true, needsBlobs: true, answer: ChangeAnswerSchema } as const;

const preparing = [
  'release_incomplete',
  'redirect_loop',
  'path_taken',
  'range_unmet',
  'version_unknown',
  'version_collected',
  'page_not_rendered',
  'budget_exceeded',
  'composer_unavailable',
  'composer_busy',
  'compression_busy',
];

export const sharesRise = (shares: readonly number[]): boolean =>
  shares.every((share, index) => index === 0 || share > (shares[index - 1] ?? 0));

export const MAX_STAGE_MINUTES = 7 * 24 * 60;

const StagesSchema = v.strictObject({
  shares: v.pipe(
    v.array(v.union([ShareSchema, v.literal(100)])),
    v.minLength(1),
    v.maxLength(20),
    v.check((shares) => sharesRise(shares), 'The shares of the stages must rise.'),
  ),
  everyMinutes: wholeNumber(1, MAX_STAGE_MINUTES, 'The length of a stage in minutes'),
});
export type Stages = v.InferOutput<typeof StagesSchema>;

export const ReleaseRequestSchema = v.pipe(
  v.strictObject({
    apps: mapSchema(AppNameSchema, VersionIdSchema),
    /** The remotes to leave out until their next activation, so that they do not block others. */
    without: WithoutSchema,
    config: v.optional(NewSiteConfigSchema),
    ...authorFields,
    ifLive: v.optional(ReleaseIdSchema),
    force: v.optional(v.boolean()),
    share: v.optional(ShareSchema),
    /**
     * Stages that raise the canary's share automatically while no metric looks bad. The last one, everyone, requires a
     * good verdict.
     */
    stages: v.optional(StagesSchema),
    ...dryRun,
  }),
  v.check(
    ({ share, stages }) => stages === undefined || (share !== undefined && share < (stages.shares[0] ?? 0)),
    "The shares of the stages must rise, starting above the canary's first share.",
  ),
  v.check(
    ({ apps, without = [] }) => without.every((app) => !(app in apps)),
    'An app is activated or left out, not both.',
  ),
  v.check(({ share, without }) => share === undefined || !without, 'A canary cannot leave a remote out.'),
  v.check(
    ({ share, apps, config }) =>
      share === undefined || Object.keys(apps).length + (config === undefined ? 0 : 1) === 1,
    'A canary changes one app, or the configuration: start one for each.',
  ),
);
export type ReleaseRequest = v.InferOutput<typeof ReleaseRequestSchema>;

export const RollbackRequestSchema = v.pipe(
  v.strictObject({
    app: AppNameSchema,
    to: v.optional(VersionIdSchema),
    /** The version to remove, from the live release or its canary; rejected if neither contains it. */
    from: v.optional(VersionIdSchema),
    live: v.optional(v.boolean()),
    /** Remotes to leave out because they would block the rollback. */
    without: WithoutSchema,
    ...authorFields,
    /** Also restores a quarantined version, and lifts its quarantine. */
    force: v.optional(v.boolean()),
    ...dryRun,
  }),
  v.check(({ app, without = [] }) => !without.includes(app), 'An app is rolled back or left out, not both.'),
);
export type RollbackRequest = v.InferOutput<typeof RollbackRequestSchema>;

export const ConfigRollbackRequestSchema = v.strictObject({
  /**
   * A release with the configuration to restore. Default: the last one with another configuration that was
   * not rolled back.
   */
  to: v.optional(ReleaseIdSchema),
  ...authorFields,
  ...dryRun,
});
export type ConfigRollbackRequest = v.InferOutput<typeof ConfigRollbackRequestSchema>;

export const RetirementRequestSchema = v.strictObject({
  app: v.pipe(
    AppNameSchema,
    v.check((app) => app !== 'shell', 'The shell cannot be retired: the site cannot work without it.'),
  ),
  to: v.optional(RedirectTargetSchema),
  ...authorFields,
  ifLive: v.optional(ReleaseIdSchema),
  despiteLinks: v.optional(v.boolean()),
  ...dryRun,
});
export type RetirementRequest = v.InferOutput<typeof RetirementRequestSchema>;

const ofCanary = {
  /** The canary's app. Needed if several canaries run, unless `ifCanary` names it. */
  app: v.optional(CanaryShareSchema.entries.app),
  reason: ReasonSchema,
  ifCanary: v.optional(ReleaseIdSchema),
  ...dryRun,
};

export const ShareRequestSchema = v.strictObject({ share: ShareSchema, ...ofCanary });
export type ShareRequest = v.InferOutput<typeof ShareRequestSchema>;

export const PromotionRequestSchema = v.strictObject(ofCanary);
export type PromotionRequest = v.InferOutput<typeof PromotionRequestSchema>;

export const AbortRequestSchema = v.strictObject({ ...ofCanary, quarantine: v.optional(v.boolean()) });
export type AbortRequest = v.InferOutput<typeof AbortRequestSchema>;

/** Without `app`: the whole channel. */
export const FreezeRequestSchema = v.strictObject({
  app: v.optional(AppNameSchema),
  reason: ReasonSchema,
  ...dryRun,
});
export type FreezeRequest = v.InferOutput<typeof FreezeRequestSchema>;

const canaryScope = {
  says: "activate:<app> of the canary's app; ops if it changes the configuration",
  of: () => [],
};

export const channelCalls = {
  readChannel: call({
    method: 'GET',
    path: '/v1/channels/:channel',
    summary: 'Read the state of a channel',
    description: 'Its releases, canaries, freezes and edges, as a consistent snapshot.',
    params,
    answer: ChannelAnswerSchema,
    scope: 'any token',
    errors: ['channel_unknown'],
  }),
  listDeclaredForms: call({
    method: 'GET',
    path: '/v1/channels/:channel/declared-forms',
    summary: 'List the declared forms of a channel, and its brand',
    description:
      'For the forms service. Includes the forms of versions that are live or a canary, or were within the last ' +
      '"days", for tabs that are still open; the latest version comes first. Emails use the brand of the live release.',
    params,
    query: { days: v.optional(numberInQuery('days', 90), 7) },
    answer: v.object({ forms: v.array(LiveFormSchema), brand: v.optional(BrandSchema) }),
    scope: 'any token',
    errors: ['channel_unknown'],
  }),
  followChannel: call({
    method: 'GET',
    path: '/v1/channels/:channel/events',
    summary: 'Follow a channel',
    description:
      "Server-sent events: the state immediately and after every change, with the revision as the event's id.",
    params,
    answer: 'text/event-stream',
    scope: 'any token',
    errors: ['channel_unknown'],
  }),
  listReleases: call({
    method: 'GET',
    path: '/v1/channels/:channel/releases',
    summary: 'The releases of a channel, newest first',
    description: 'With "app" those that changed it. "before" is the last release of the page before.',
    params,
    query: {
      limit: v.optional(numberInQuery('limit', PAGE), 20),
      before: v.optional(releaseInQuery('before')),
      app: v.optional(v.string()),
    },
    answer: v.object({
      releases: v.array(
        v.object({
          ...ReleaseSchema.entries,
          revoked: v.boolean(),
          /** Made for a canary: it was never live for everyone. */
          canary: v.boolean(),
          changes: v.array(AppChangeSchema),
          retirements: v.optional(v.array(RetirementSchema), []),
        }),
      ),
    }),
    scope: 'any token',
    errors: ['channel_unknown', 'app_unknown'],
  }),
  createRelease: call({
    ...change,
    path: '/v1/channels/:channel/releases',
    summary: 'Activate versions',
    description: 'All other apps stay unchanged. With "share" it starts a canary.',
    body: ReleaseRequestSchema,
    created: true,
    scope: {
      says: 'activate:<app> of every app in "apps"; ops with "config", "force", "without" or no app',
      // A change beyond the named apps requires ops.
      of: ({ body: { apps, config, force, without } }) => [
        ...Object.keys(apps).map((app) => `activate:${app}`),
        ...(config || force || without || Object.keys(apps).length === 0 ? ['ops'] : []),
      ],
    },
    errors: [
      ...preparing,
      'channel_unknown',
      'app_unknown',
      'parent_outdated',
      'frozen',
      'version_quarantined',
      'canary_running',
      'forms_unmet',
      'forms_unknown',
      'path_reserved',
      'brand_incomplete',
    ],
  }),
  rollBack: call({
    ...change,
    path: '/v1/channels/:channel/rollbacks',
    summary: 'Roll one app back to its last good version',
    description:
      'The rolled back version is quarantined, and open tabs leave every release that contains it.',
    // A header because it is not part of the request's digest: a retry may have seen another release.
    headers: {
      'if-live-version': v.optional(VersionIdSchema),
      /** The version of the retired app that the author saw; rejected if the app has returned since. */
      'if-retired-version': v.optional(VersionIdSchema),
    },
    body: RollbackRequestSchema,
    created: true,
    scope: {
      says: 'activate:<app>; ops with "force" or "without"',
      // A team restores its own remote.
      of: ({ body: { app, force, without } }) => [force || without ? 'ops' : `activate:${app}`],
    },
    errors: [
      ...preparing,
      'channel_unknown',
      'app_unknown',
      'frozen',
      'version_quarantined',
      'version_not_live',
      'rollback_unclear',
      'no_good_version',
      'version_never_live',
      'canary_running',
    ],
  }),
  rollBackConfig: call({
    ...change,
    path: '/v1/channels/:channel/config-rollbacks',
    summary: 'Restore the configuration of an earlier release',
    description:
      'All versions stay the same. Open tabs leave every release with the rolled back configuration.',
    // The release whose configuration the author rolls back: rejected if another configuration is live.
    headers: { 'if-live-release': v.optional(ReleaseIdSchema) },
    body: ConfigRollbackRequestSchema,
    created: true,
    scope: { says: 'ops', of: () => ['ops'] },
    errors: [
      ...preparing,
      'channel_unknown',
      'release_unknown',
      'no_former_config',
      'config_not_live',
      'frozen',
    ],
  }),
  retireApp: call({
    ...change,
    path: '/v1/channels/:channel/retirements',
    summary: 'Retire an app',
    description:
      'Its paths redirect to "to" or respond with 410 Gone. A rollback of the app or activating a ' +
      'version restores it. A dry run lists the pages that link to it.',
    body: RetirementRequestSchema,
    created: true,
    // As with a rollback, a team decides about its own remote.
    scope: { says: 'activate:<app>', of: ({ body: { app } }) => [`activate:${app}`] },
    errors: [
      ...preparing,
      'channel_unknown',
      'app_unknown',
      'frozen',
      'canary_running',
      'parent_outdated',
      'target_unknown',
      'links_remain',
      'links_busy',
    ],
  }),
  changeShare: call({
    ...change,
    path: '/v1/channels/:channel/canary',
    summary: 'Show a canary to more or to fewer visitors',
    body: ShareRequestSchema,
    scope: canaryScope,
    errors: ['channel_unknown', 'no_canary', 'canary_unclear', 'frozen', 'version_quarantined'],
  }),
  promoteCanary: call({
    ...change,
    path: '/v1/channels/:channel/promotions',
    summary: 'Promote a canary to all visitors',
    body: PromotionRequestSchema,
    created: true,
    scope: canaryScope,
    errors: [
      ...preparing,
      'channel_unknown',
      'no_canary',
      'canary_unclear',
      'canary_running',
      'frozen',
      'version_quarantined',
      'path_reserved',
    ],
  }),
  abortCanary: call({
    ...change,
    path: '/v1/channels/:channel/aborts',
    summary: 'Abort a canary',
    description: 'Its visitors see the live version again. This also works during a freeze.',
    body: AbortRequestSchema,
    scope: canaryScope,
    errors: ['channel_unknown', 'no_canary', 'canary_unclear'],
  }),
  freezeChannel: call({
    method: 'POST',
    path: '/v1/channels/:channel/freezes',
    summary: 'Freeze an app or a whole channel',
    params,
    body: FreezeRequestSchema,
    answer: FreezesAnswerSchema,
    scope: 'ops',
    once: true,
    errors: ['channel_unknown', 'app_unknown'],
  }),
  unfreezeChannel: call({
    method: 'POST',
    path: '/v1/channels/:channel/unfreezes',
    summary: 'Lift a freeze',
    params,
    body: FreezeRequestSchema,
    answer: FreezesAnswerSchema,
    scope: 'ops',
    once: true,
    errors: ['channel_unknown', 'app_unknown'],
  }),
};
