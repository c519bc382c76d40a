import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { keptAuthorFields } from '../author-fields.ts';
import {
  AppChangeSchema,
  FreezeSchema,
  QuarantinedSchema,
  RetirementSchema,
} from '../channel-answers.schema.ts';
import { ProvenanceSchema } from '../provenance.ts';
import { CanaryShareSchema, ChannelNameSchema, ReleaseIdSchema, RetiredSchema } from '../release.schema.ts';
import { VariantChoiceSchema } from '../route.schema.ts';
import { mapSchema } from '../schema-tools.ts';
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

export const LONGEST_LOOK_AT_FORMS_MINUTES = 7 * 24 * 60;
/** The default time range. */
export const LOOK_AT_FORMS_MINUTES = 24 * 60;
export const LOOK_AT_COMPARED_MINUTES = 7 * 24 * 60;

export const HealthSchema = v.object({
  views: v.number(),
  faults: faultRate,
  forms: v.object({ sent: v.number(), failed: v.number() }),
  /** 75th percentiles in milliseconds. Null without measurements. */
  lcp: v.nullable(v.number()),
  inp: v.nullable(v.number()),
});
export type Health = v.InferOutput<typeof HealthSchema>;

const PointSchema = v.object({
  at: v.string(),
  views: v.number(),
  faults: v.number(),
  lcp: v.nullable(v.number()),
  inp: v.nullable(v.number()),
});
export type HealthPoint = v.InferOutput<typeof PointSchema>;

const LiveSinceSchema = v.object({
  version: v.string(),
  release: ReleaseIdSchema,
  kind: v.picklist(['activate', 'promote', 'rollback']),
  at: v.string(),
  by: v.string(),
  reason: v.string(),
});

const AppLineSchema = v.object({
  app: v.string(),
  live: v.nullable(LiveSinceSchema),
  leftOut: v.nullable(v.string()),
  retired: v.optional(v.nullable(RetiredSchema), null),
  /** Of the live version. */
  quarantined: v.nullable(QuarantinedSchema),
  standing: v.nullable(StandingSchema),
  health: HealthSchema,
  hour: v.array(v.nullable(v.number())),
  canary: v.nullable(
    v.object({ version: v.nullable(v.string()), standing: v.nullable(StandingSchema), health: HealthSchema }),
  ),
  frozen: v.nullable(FreezeSchema),
  guard: PolicyModeSchema,
});
export type AppLine = v.InferOutput<typeof AppLineSchema>;

const RunningCanarySchema = v.object({
  ...CanaryShareSchema.entries,
  /** Null: the configuration. */
  version: v.nullable(v.string()),
  since: v.string(),
  by: v.string(),
  reason: v.string(),
  stages: v.nullable(
    v.object({
      shares: v.array(v.number()),
      everyMinutes: v.number(),
      since: v.string(),
      says: v.string(),
    }),
  ),
});
export type RunningCanary = v.InferOutput<typeof RunningCanarySchema>;

const NeedSchema = v.object({
  kind: v.picklist(['suggested', 'refused', 'edge-silent', 'edge-behind', 'canary', 'frozen', 'trouble']),
  app: v.nullable(v.string()),
  version: v.nullable(v.string()),
  edge: v.nullable(v.string()),
  since: v.string(),
  says: v.string(),
});
export type Need = v.InferOutput<typeof NeedSchema>;

const RecentActionSchema = v.object({
  app: v.string(),
  version: v.string(),
  release: ReleaseIdSchema,
  at: v.string(),
  by: v.string(),
  publishedBy: v.string(),
  says: v.string(),
});

const EdgeLineSchema = v.object({
  id: v.string(),
  release: v.nullable(ReleaseIdSchema),
  canaries: v.array(CanaryShareSchema),
  seenAt: v.string(),
  alive: v.boolean(),
  behind: v.boolean(),
});

const OverviewSchema = v.object({
  channel: ChannelNameSchema,
  /** The registry's time. */
  at: v.string(),
  revision: v.number(),
  release: v.nullable(v.object({ id: ReleaseIdSchema, at: v.string(), by: v.string(), reason: v.string() })),
  canaries: v.array(RunningCanarySchema),
  needs: v.array(NeedSchema),
  /** Newest first. Missing from registries of 1.0.0. */
  recent: v.optional(v.array(RecentActionSchema)),
  apps: v.array(AppLineSchema),
  edges: v.array(EdgeLineSchema),
});
export type Overview = v.InferOutput<typeof OverviewSchema>;

const PageSizeSchema = v.object({
  path: v.string(),
  files: v.nullable(v.number()),
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

const AroundSchema = v.object({ app: v.string(), before: HealthSchema, after: HealthSchema });

const TimelineEntrySchema = v.object({
  id: ReleaseIdSchema,
  kind: v.picklist(['activate', 'promote', 'rollback']),
  at: v.string(),
  by: v.string(),
  guard: v.boolean(),
  ...keptAuthorFields,
  parent: v.nullable(ReleaseIdSchema),
  canary: v.boolean(),
  revoked: v.boolean(),
  configuration: v.boolean(),
  changes: v.array(AppChangeSchema),
  retirements: v.optional(v.array(RetirementSchema), []),
  around: v.array(AroundSchema),
});
export type TimelineEntry = v.InferOutput<typeof TimelineEntrySchema>;

const ExperimentSchema = v.object({
  app: v.string(),
  page: v.string(),
  since: v.nullable(v.string()),
  chosen: v.nullable(VariantChoiceSchema),
  says: v.string(),
  choices: v.array(
    v.object({
      choice: VariantChoiceSchema,
      views: v.number(),
      /** Views that reached the outcome, by its name. */
      reached: mapSchema(v.string(), v.number()),
    }),
  ),
  /** The first one decides. */
  outcomes: v.array(
    v.object({
      name: v.string(),
      is: v.picklist(['open', 'won', 'even', 'uneven']),
      leader: v.nullable(VariantChoiceSchema),
      /** Of the leader's rate over the next best, and its anytime-valid 99 % interval. Null: infinite. */
      lift: v.nullable(v.number()),
      low: v.nullable(v.number()),
      high: v.nullable(v.number()),
      chance: v.nullable(v.number()),
      says: v.string(),
    }),
  ),
});
export type ExperimentShown = v.InferOutput<typeof ExperimentSchema>;

export const viewCalls = {
  readOverview: call({
    method: 'GET',
    path: '/v1/channels/:channel/overview',
    summary: 'Read live versions, health and open problems',
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
    summary: 'Subscribe to changes of a channel',
    description:
      'Server-sent events "marks", immediately and after every change: for each part (log, edges, ' +
      'guard, signals, troubles) a text that differs when the part has changed. "alive" in between.',
    params,
    answer: 'text/event-stream',
    scope: 'any token',
    errors: ['channel_unknown'],
  }),
  readSeries: call({
    method: 'GET',
    path: '/v1/channels/:channel/health/series',
    summary: "Read the health of an app's versions over time, for all routes",
    description:
      '"minutes": time range; one point every five minutes, beyond 2 days every hour. "versions": ' +
      'only these, comma-separated.',
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
    summary: 'Compare two versions of an app',
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
    summary: 'List the changes of a channel with their health, newest first',
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
    summary: 'Read the form statistics reported by browsers',
    description:
      'Within the last "minutes". A form on a shown version\'s page is included even without submissions.',
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
          route: v.string(),
          canary: v.boolean(),
          /** The page's views. */
          views: v.number(),
          sent: v.number(),
          refused: v.optional(v.number(), 0),
          failed: v.number(),
          /**
           * The time of the last submission, to the minute (or the hour if more than 2 days ago). Null if
           * there was none in 90 days.
           */
          lastSent: v.nullable(v.string()),
        }),
      ),
    }),
    scope: 'any token',
    errors: ['channel_unknown', 'app_unknown'],
  }),
  readExperiments: call({
    method: 'GET',
    path: '/v1/channels/:channel/experiments',
    summary: 'Read which variant of a page is better',
    description:
      'Pages of live versions that declare outcomes for their variants. Valid however often it is read.',
    params,
    query: { app: v.optional(v.string()) },
    answer: v.object({ experiments: v.array(ExperimentSchema) }),
    scope: 'any token',
    errors: ['channel_unknown', 'app_unknown'],
  }),
  search: call({
    method: 'GET',
    path: '/v1/search',
    summary: 'Search apps, versions, releases and people',
    description:
      'Matches parts of names, version ids and reasons, and prefixes of commits. Newest first, at most 10 of each.',
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
