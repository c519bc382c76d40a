import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { keptAuthorFields } from '../author-fields.ts';
import {
  AppChangeSchema,
  CanaryShareSchema,
  FreezeSchema,
  QuarantinedSchema,
  RetirementSchema,
} from '../channel-answers.schema.ts';
import { ProvenanceSchema } from '../provenance.ts';
import { ChannelNameSchema, ReleaseIdSchema, RetiredSchema } from '../release.schema.ts';
import { call } from './call.ts';
import { numberInQuery, PAGE, releaseInQuery, SearchedTextSchema } from './fields.ts';
import {
  faultRate,
  LONGEST_LOOK_MINUTES,
  LOOK_MINUTES,
  PolicyModeSchema,
  StandingSchema,
} from './guard.calls.ts';

const params = { channel: ChannelNameSchema };
const channelInQuery = v.optional(ChannelNameSchema, 'production');

/** Every hour of every page with a form is read. */
export const LONGEST_LOOK_AT_FORMS_MINUTES = 7 * 24 * 60;
/** How far back is looked, unless the request says so. */
export const LOOK_AT_FORMS_MINUTES = 24 * 60;
export const LOOK_AT_COMPARED_MINUTES = 7 * 24 * 60;

/** How a version did, on all its routes together. */
export const HealthSchema = v.object({
  views: v.number(),
  faults: faultRate,
  forms: v.object({ sent: v.number(), failed: v.number() }),
  /** The 75th percentiles, in milliseconds. Null where nothing was measured. */
  lcp: v.nullable(v.number()),
  inp: v.nullable(v.number()),
});
export type Health = v.InferOutput<typeof HealthSchema>;

/** The same of a stretch of time, for a line in a chart. `faults`: views with a fault. */
const PointSchema = v.object({
  at: v.string(),
  views: v.number(),
  faults: v.number(),
  lcp: v.nullable(v.number()),
  inp: v.nullable(v.number()),
});
export type HealthPoint = v.InferOutput<typeof PointSchema>;

/** Since when a version is live, and by whom: the release that brought it last. */
const LiveSinceSchema = v.object({
  version: v.string(),
  release: ReleaseIdSchema,
  kind: v.picklist(['activate', 'promote', 'rollback']),
  at: v.string(),
  by: v.string(),
  reason: v.string(),
});

/** One app, on one line. */
const AppLineSchema = v.object({
  app: v.string(),
  live: v.nullable(LiveSinceSchema),
  /** The version that it had, when ops have left it out of the site. */
  leftOut: v.nullable(v.string()),
  /** Set when it was retired. */
  retired: v.optional(v.nullable(RetiredSchema), null),
  /** Of the live version. */
  quarantined: v.nullable(QuarantinedSchema),
  standing: v.nullable(StandingSchema),
  /** Of the live version in the last hour, without the visitors of a canary. */
  health: HealthSchema,
  /**
   * Of the app in the last hour, whichever version was live: the views with a fault, of 1, in twelve times five minutes, the one that
   * runs still last. Null without views. No more than a small line needs: there are hundreds of apps.
   */
  hour: v.array(v.nullable(v.number())),
  canary: v.nullable(
    v.object({ version: v.nullable(v.string()), standing: v.nullable(StandingSchema), health: HealthSchema }),
  ),
  /** What keeps it from changing, if anything does. */
  frozen: v.nullable(FreezeSchema),
  guard: PolicyModeSchema,
});
export type AppLine = v.InferOutput<typeof AppLineSchema>;

/** Something that a person should look at. What it is not about is null. */
const NeedSchema = v.object({
  kind: v.picklist(['suggested', 'refused', 'edge-silent', 'edge-behind', 'canary', 'frozen', 'trouble']),
  app: v.nullable(v.string()),
  version: v.nullable(v.string()),
  edge: v.nullable(v.string()),
  since: v.string(),
  says: v.string(),
});
export type Need = v.InferOutput<typeof NeedSchema>;

const EdgeLineSchema = v.object({
  id: v.string(),
  release: v.nullable(ReleaseIdSchema),
  canary: v.nullable(CanaryShareSchema),
  seenAt: v.string(),
  /** Whether it was heard of recently enough to be waited for. */
  alive: v.boolean(),
  /** Whether it serves something other than the channel shows. */
  behind: v.boolean(),
});

const OverviewSchema = v.object({
  channel: ChannelNameSchema,
  /** The clock of the registry. */
  at: v.string(),
  revision: v.number(),
  release: v.nullable(v.object({ id: ReleaseIdSchema, at: v.string(), by: v.string(), reason: v.string() })),
  canary: v.nullable(
    v.object({
      release: ReleaseIdSchema,
      share: v.number(),
      since: v.string(),
      by: v.string(),
      reason: v.string(),
      apps: v.array(AppChangeSchema),
      /** The shares that are to follow by themselves, and why they wait. */
      stages: v.nullable(
        v.object({
          shares: v.array(v.number()),
          everyMinutes: v.number(),
          since: v.string(),
          says: v.string(),
        }),
      ),
    }),
  ),
  needs: v.array(NeedSchema),
  apps: v.array(AppLineSchema),
  edges: v.array(EdgeLineSchema),
});
export type Overview = v.InferOutput<typeof OverviewSchema>;

const PageSizeSchema = v.object({
  path: v.string(),
  /** Bytes of the scripts and styles of its first view, uncompressed; null where the version has no such page. */
  files: v.nullable(v.number()),
  /** Bytes of its document as it travels, with the live shell; null where it was not rendered or weighed. */
  document: v.nullable(v.number()),
});

const ComparedSchema = v.object({
  version: v.string(),
  publishedAt: v.string(),
  publishedBy: v.string(),
  commit: v.nullable(v.string()),
  provenance: v.optional(v.nullable(ProvenanceSchema)),
  bytes: v.number(),
  quarantined: v.nullable(QuarantinedSchema),
  standing: v.nullable(StandingSchema),
  health: HealthSchema,
  /** Different faults, and how often they were reported. */
  faults: v.object({ groups: v.number(), count: v.number() }),
  pages: v.array(PageSizeSchema),
});

const VersionsComparedSchema = v.object({
  app: v.string(),
  since: v.string(),
  control: ComparedSchema,
  version: ComparedSchema,
  pages: v.object({ added: v.array(v.string()), removed: v.array(v.string()) }),
  files: v.object({ added: v.array(v.string()), removed: v.array(v.string()), unchanged: v.number() }),
});
export type VersionsCompared = v.InferOutput<typeof VersionsComparedSchema>;

/** How the app that a release changed did before and after it, in the hours around it; after a canary: for its visitors alone. */
const AroundSchema = v.object({ app: v.string(), before: HealthSchema, after: HealthSchema });

const TimelineEntrySchema = v.object({
  id: ReleaseIdSchema,
  kind: v.picklist(['activate', 'promote', 'rollback']),
  at: v.string(),
  by: v.string(),
  /** Whether the guard did it, and not a person. */
  guard: v.boolean(),
  ...keptAuthorFields,
  parent: v.nullable(ReleaseIdSchema),
  /** Made for a canary: it was never shown to everyone. */
  canary: v.boolean(),
  revoked: v.boolean(),
  /** Whether it has another configuration than the release before. */
  configuration: v.boolean(),
  changes: v.array(AppChangeSchema),
  /** A registry of the version before does not tell these. */
  retirements: v.optional(v.array(RetirementSchema), []),
  /** Of the first few apps that it changed. */
  around: v.array(AroundSchema),
});
export type TimelineEntry = v.InferOutput<typeof TimelineEntrySchema>;

/** What the views of the console show, each with one call; the command line has them, too. */
export const viewCalls = {
  readOverview: call({
    method: 'GET',
    path: '/v1/channels/:channel/overview',
    summary: 'What is live, whether it is well, and what needs a person',
    description: 'With "app" the line of this app alone, and what needs a person about it.',
    params,
    query: { app: v.optional(v.string()) },
    answer: OverviewSchema,
    scope: 'any token',
    errors: ['channel_unknown'],
  }),
  followMarks: call({
    method: 'GET',
    path: '/v1/channels/:channel/marks',
    summary: 'Hear when something of a channel is no longer what it was',
    description:
      'Server-sent events "marks", at once and after every change: for each part (log, edges, guard, signals, troubles) a text that is another one when the part has changed. "alive" in between.',
    params,
    answer: 'text/event-stream',
    scope: 'any token',
    errors: ['channel_unknown'],
  }),
  readSeries: call({
    method: 'GET',
    path: '/v1/channels/:channel/health/series',
    summary: 'How the versions of an app did over time, on all routes together',
    description:
      '"minutes": how far back; one point every five minutes, beyond 2 days every hour. "versions": only these, separated by commas.',
    params,
    query: {
      app: AppNameSchema,
      versions: v.optional(v.string()),
      minutes: v.optional(numberInQuery('minutes', LONGEST_LOOK_MINUTES), LOOK_MINUTES),
    },
    answer: v.object({
      since: v.string(),
      everyMinutes: v.number(),
      rows: v.array(v.object({ version: v.string(), canary: v.boolean(), points: v.array(PointSchema) })),
    }),
    scope: 'any token',
    errors: ['channel_unknown', 'app_unknown'],
  }),
  compareVersions: call({
    method: 'GET',
    path: '/v1/apps/:app/versions/:version/against/:control',
    summary: 'Two versions of an app side by side',
    params: { app: AppNameSchema, version: v.string(), control: v.string() },
    query: {
      channel: channelInQuery,
      minutes: v.optional(numberInQuery('minutes', LONGEST_LOOK_MINUTES), LOOK_AT_COMPARED_MINUTES),
    },
    answer: VersionsComparedSchema,
    scope: 'any token',
    errors: ['app_unknown', 'version_unknown', 'channel_unknown'],
  }),
  readTimeline: call({
    method: 'GET',
    path: '/v1/channels/:channel/timeline',
    summary: 'What happened to a channel, newest first, with the health around it',
    description: 'With "app" what changed it. "before" is what the page before says to go on with.',
    params,
    query: {
      limit: v.optional(numberInQuery('limit', PAGE), 20),
      before: v.optional(releaseInQuery('before')),
      app: v.optional(v.string()),
    },
    answer: v.object({ next: v.nullable(ReleaseIdSchema), releases: v.array(TimelineEntrySchema) }),
    scope: 'any token',
    errors: ['channel_unknown', 'app_unknown'],
  }),
  readForms: call({
    method: 'GET',
    path: '/v1/channels/:channel/forms',
    summary: 'How the forms of pages do, as browsers told it',
    description:
      'Of the last "minutes". A form on a page of a version that is shown is there also when nobody has sent it in them.',
    params,
    query: {
      app: v.optional(v.string()),
      minutes: v.optional(numberInQuery('minutes', LONGEST_LOOK_AT_FORMS_MINUTES), LOOK_AT_FORMS_MINUTES),
    },
    answer: v.object({
      since: v.string(),
      rows: v.array(
        v.object({
          app: v.string(),
          version: v.string(),
          /** The page that has the form. */
          route: v.string(),
          canary: v.boolean(),
          /** How often that page was opened. */
          views: v.number(),
          sent: v.number(),
          /** For what the visitor wrote. A registry of the version before does not tell these. */
          refused: v.optional(v.number(), 0),
          failed: v.number(),
          /**
           * When the last one that was sent arrived, to the minute (the hour, when that is longer than 2 days ago). Null when none
           * did in 90 days.
           */
          lastSent: v.nullable(v.string()),
        }),
      ),
    }),
    scope: 'any token',
    errors: ['channel_unknown', 'app_unknown'],
  }),
  search: call({
    method: 'GET',
    path: '/v1/search',
    summary: 'Find apps, versions, releases and people',
    description:
      'By parts of names, of version ids, of commits from their beginning, and of reasons. The newest first, at most 10 of each.',
    query: {
      text: SearchedTextSchema,
      channel: channelInQuery,
    },
    answer: v.object({
      apps: v.array(v.object({ app: v.string() })),
      versions: v.array(
        v.object({
          app: v.string(),
          version: v.string(),
          commit: v.nullable(v.string()),
          publishedAt: v.string(),
          publishedBy: v.string(),
        }),
      ),
      releases: v.array(
        v.object({ id: ReleaseIdSchema, at: v.string(), by: v.string(), reason: v.string() }),
      ),
      people: v.array(v.object({ name: v.string(), last: v.string() })),
    }),
    scope: 'any token',
    errors: ['channel_unknown'],
  }),
};
