import * as v from 'valibot';
import { AppNameSchema, VersionIdSchema } from '../app-name.schema.ts';
import { authorFields } from '../author-fields.ts';
import { BrandSchema } from '../brand.schema.ts';
import {
  AppChangeSchema,
  ChangeAnswerSchema,
  ChannelAnswerSchema,
  FreezesAnswerSchema,
  RetirementSchema,
} from '../channel-answers.schema.ts';
import { LiveFormSchema } from '../forms/declared-form.schema.ts';
import { mapSchema } from '../map.schema.ts';
import { ReasonSchema } from '../reason.schema.ts';
import { ChannelNameSchema, ReleaseIdSchema, ReleaseSchema } from '../release.schema.ts';
import { RedirectTargetSchema } from '../route.schema.ts';
import { ShareSchema } from '../share.schema.ts';
import { SiteConfigSchema } from '../site-config.schema.ts';
import { call } from './call.ts';
import { dryRun, numberInQuery, PAGE, releaseInQuery, wholeNumber, WithoutSchema } from './fields.ts';

const params = { channel: ChannelNameSchema };

/** What every change of a channel has in common. Its answer says what became live. */
const change = { method: 'POST', params, once: true, needsBlobs: true, answer: ChangeAnswerSchema } as const;

/** What a change that makes a release can run into. */
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

/** Whether each share is larger than the one before it. */
export const sharesRise = (shares: readonly number[]): boolean =>
  shares.every((share, index) => index === 0 || share > (shares[index - 1] ?? 0));

/** The longest that a stage can be asked to last at least: a week. */
export const MAX_STAGE_MINUTES = 7 * 24 * 60;

/** The shares that a canary gets one after the other, in percent, and how many minutes each of them lasts at least. */
const StagesSchema = v.strictObject({
  shares: v.pipe(
    v.array(v.union([ShareSchema, v.literal(100)])),
    v.minLength(1),
    v.maxLength(20),
    v.check((shares) => sharesRise(shares), 'The shares of the stages rise.'),
  ),
  everyMinutes: wholeNumber(1, MAX_STAGE_MINUTES, 'The length of a stage in minutes'),
});
export type Stages = v.InferOutput<typeof StagesSchema>;

export const ReleaseRequestSchema = v.pipe(
  v.strictObject({
    /** The versions to make live; all other apps stay as they are. */
    apps: mapSchema(AppNameSchema, VersionIdSchema),
    /** The remotes to leave out until they are activated again: they hold up nobody else. */
    without: WithoutSchema,
    config: v.optional(SiteConfigSchema),
    ...authorFields,
    /** The release that the author saw; when the channel has moved on since, the request is refused. */
    ifLive: v.optional(ReleaseIdSchema),
    /** Activates quarantined versions too, and lifts their quarantine. */
    force: v.optional(v.boolean()),
    /** Shows the release to this many percent of the visitors first, as the channel's canary. */
    share: v.optional(ShareSchema),
    /** Raises the canary's share by itself while nothing speaks against it; the last step, to everyone, when it is found good. */
    stages: v.optional(StagesSchema),
    ...dryRun,
  }),
  v.check(
    ({ share, stages }) => stages === undefined || (share !== undefined && share < (stages.shares[0] ?? 0)),
    'The shares of the stages rise, and follow on the one that the canary begins with.',
  ),
  v.check(
    ({ apps, without = [] }) => without.every((app) => !(app in apps)),
    'An app is activated or left out, not both.',
  ),
  v.check(({ share, without }) => share === undefined || !without, 'A canary cannot leave a remote out.'),
);
export type ReleaseRequest = v.InferOutput<typeof ReleaseRequestSchema>;

export const RollbackRequestSchema = v.pipe(
  v.strictObject({
    app: AppNameSchema,
    /** The version to put back; by default the last good one. */
    to: v.optional(VersionIdSchema),
    /** The version that the author wants gone, from the live release or the canary; refused when neither shows it. */
    from: v.optional(VersionIdSchema),
    /** The version in the live release is meant, also while a canary shows another one. */
    live: v.optional(v.boolean()),
    /** Remotes to leave out, which would be in the way. */
    without: WithoutSchema,
    ...authorFields,
    /** Puts a quarantined version back too, and lifts its quarantine. */
    force: v.optional(v.boolean()),
    ...dryRun,
  }),
  v.check(({ app, without = [] }) => !without.includes(app), 'An app is rolled back or left out, not both.'),
);
export type RollbackRequest = v.InferOutput<typeof RollbackRequestSchema>;

export const ConfigRollbackRequestSchema = v.strictObject({
  /** A release with the configuration that comes back. Default: the last one with another configuration that was not rolled back. */
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
  /** The page that its addresses lead to from now on. Default: they answer that they are gone (410). */
  to: v.optional(RedirectTargetSchema),
  ...authorFields,
  /** The release that the author saw; when the channel has moved on since, the request is refused. */
  ifLive: v.optional(ReleaseIdSchema),
  /** Although other pages that are live link to it. */
  despiteLinks: v.optional(v.boolean()),
  ...dryRun,
});
export type RetirementRequest = v.InferOutput<typeof RetirementRequestSchema>;

/** What concerns the running canary. `ifCanary`: the one that the author saw; refused when another one runs by now. */
const ofCanary = { reason: ReasonSchema, ifCanary: v.optional(ReleaseIdSchema), ...dryRun };

export const ShareRequestSchema = v.strictObject({ share: ShareSchema, ...ofCanary });
export type ShareRequest = v.InferOutput<typeof ShareRequestSchema>;

export const PromotionRequestSchema = v.strictObject(ofCanary);
export type PromotionRequest = v.InferOutput<typeof PromotionRequestSchema>;

/** `quarantine` quarantines the versions that the canary brought. */
export const AbortRequestSchema = v.strictObject({ ...ofCanary, quarantine: v.optional(v.boolean()) });
export type AbortRequest = v.InferOutput<typeof AbortRequestSchema>;

/** Without `app`: everything on the channel. */
export const FreezeRequestSchema = v.strictObject({
  app: v.optional(AppNameSchema),
  reason: ReasonSchema,
  ...dryRun,
});
export type FreezeRequest = v.InferOutput<typeof FreezeRequestSchema>;

const whatTheCanaryChanges = {
  says: 'activate:<app> of every app that the canary changes; ops when it changes the configuration',
  of: () => [],
};

/** Channels: what is live, and everything that changes it. */
export const channelCalls = {
  readChannel: call({
    method: 'GET',
    path: '/v1/channels/:channel',
    summary: 'What a channel shows',
    description: 'Its releases, canary, freezes and edges, all of one moment.',
    params,
    answer: ChannelAnswerSchema,
    scope: 'any token',
    errors: ['channel_unknown'],
  }),
  listDeclaredForms: call({
    method: 'GET',
    path: '/v1/channels/:channel/declared-forms',
    summary: 'The forms of remotes that a channel takes, and its brand',
    description:
      'For the forms service. The forms are those of the versions that are live or a canary, and of those that were within the last ' +
      '"days", for tabs that are still open; the one that was published last comes first. The brand is that of the live release, for mails.',
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
      'Server-sent events: its state at once and after every change, with the revision as the id of each event.',
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
          /** Made for a canary: it was never shown to everyone. */
          canary: v.boolean(),
          changes: v.array(AppChangeSchema),
          /** A registry of the version before does not tell these. */
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
    summary: 'Make versions live',
    description: 'All apps that are not named stay as they are. With "share" it starts a canary.',
    body: ReleaseRequestSchema,
    created: true,
    scope: {
      says: 'activate:<app> of every app in "apps"; ops with "config", "force", "without" or no app',
      // What concerns more than the named apps is for ops.
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
    description: 'The version that goes is quarantined, and open tabs leave every release that holds it.',
    // Beside the body, for it is not part of the order: a retry may have seen something else.
    headers: {
      'if-live-version': v.optional(VersionIdSchema),
      /** The version of the app that the author saw retired: refused when it is back by now. */
      'if-retired-version': v.optional(VersionIdSchema),
    },
    body: RollbackRequestSchema,
    created: true,
    scope: {
      says: 'activate:<app>; ops with "force" or "without"',
      // A team puts its own remote back by itself.
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
    summary: 'Put back the configuration of an earlier release',
    description: 'All versions stay. Open tabs leave every release that has the configuration that goes.',
    // The release whose configuration the author wants gone: refused when another configuration is live by now.
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
    summary: 'Take an app off the site',
    description:
      'Its addresses redirect to "to", or answer that they are gone. A rollback of the app, or activating a version of it, brings it back. A dry run says which pages link to it.',
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
    summary: 'Show the canary to more or to fewer visitors',
    body: ShareRequestSchema,
    scope: whatTheCanaryChanges,
    errors: ['channel_unknown', 'no_canary', 'frozen', 'version_quarantined'],
  }),
  promoteCanary: call({
    ...change,
    path: '/v1/channels/:channel/promotions',
    summary: 'Show the canary to everyone',
    body: PromotionRequestSchema,
    created: true,
    scope: whatTheCanaryChanges,
    errors: [...preparing, 'channel_unknown', 'no_canary', 'frozen', 'version_quarantined', 'path_reserved'],
  }),
  abortCanary: call({
    ...change,
    path: '/v1/channels/:channel/aborts',
    summary: 'End the canary',
    description: 'Everyone sees the live release again. This works during a freeze, too.',
    body: AbortRequestSchema,
    scope: whatTheCanaryChanges,
    errors: ['channel_unknown', 'no_canary'],
  }),
  freezeChannel: call({
    method: 'POST',
    path: '/v1/channels/:channel/freezes',
    summary: 'Freeze an app, or everything, on a channel',
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
    summary: 'Lift one freeze',
    params,
    body: FreezeRequestSchema,
    answer: FreezesAnswerSchema,
    scope: 'ops',
    once: true,
    errors: ['channel_unknown', 'app_unknown'],
  }),
};
