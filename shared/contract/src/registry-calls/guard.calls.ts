import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { ReasonSchema } from '../reason.schema.ts';
import { ChannelNameSchema } from '../release.schema.ts';
import { PagePathSchema } from '../route.schema.ts';
import { call } from './call.ts';
import { dryRun, numberInQuery, PAGE } from './fields.ts';

const params = { channel: ChannelNameSchema };

/** What the guard may do about a bad version: end it or take it back by itself, ask people to, or nothing. */
export const PolicyModeSchema = v.picklist(['act', 'suggest', 'off']);
export type PolicyMode = v.InferOutput<typeof PolicyModeSchema>;

/** Who said what the guard may do. `app` is null for all apps that have no policy of their own. */
const PolicySchema = v.object({
  app: v.nullable(v.string()),
  mode: PolicyModeSchema,
  by: v.string(),
  at: v.string(),
  reason: v.string(),
});

/** What is thought of a version, for now. */
export const VerdictSchema = v.picklist(['good', 'bad', 'waiting']);

/** Views with a fault, of 1, and between which bounds it lies with 95 % certainty. Null without views. */
export const faultRate = v.nullable(v.object({ rate: v.number(), low: v.number(), high: v.number() }));

/** What is held of a version: `proven` says what shows that it is good. */
export const StandingSchema = v.object({
  verdict: VerdictSchema,
  since: v.string(),
  proven: v.nullable(v.string()),
});
export type Standing = v.InferOutput<typeof StandingSchema>;

/** A version that is looked at. */
const JudgementSchema = v.object({
  app: v.string(),
  version: v.string(),
  /** What it is compared with: the version that the others see, or the one before it. Null when there is none. */
  control: v.nullable(v.string()),
  /** The release that the canary began with, or that made the version live. */
  release: v.string(),
  canary: v.boolean(),
  verdict: VerdictSchema,
  since: v.string(),
  /** What speaks for the verdict, or what is missing for one. */
  says: v.string(),
});
export type GuardJudgement = v.InferOutput<typeof JudgementSchema>;

/** A canary that is shown to more visitors by itself. */
const StagesSchema = v.object({
  release: v.string(),
  /** Those that come after this one, in percent; 100 shows it to everyone. */
  shares: v.array(v.number()),
  everyMinutes: v.number(),
  share: v.number(),
  since: v.string(),
  /** Why it waits, or has stopped. */
  says: v.string(),
});
export type GuardStages = v.InferOutput<typeof StagesSchema>;

/** What browsers fall back to, and what shows that it is good. Null: it was live before, and that is all. */
const FallbackSchema = v.object({ app: v.string(), version: v.string(), proven: v.nullable(v.string()) });
export type Fallback = v.InferOutput<typeof FallbackSchema>;

/** What the guard did or suggested, or was not allowed to do; `why` it decided so, or was refused. */
const ActionSchema = v.object({
  did: v.picklist(['acted', 'suggested', 'refused']),
  app: v.string(),
  version: v.string(),
  release: v.string(),
  at: v.string(),
  evidence: v.string(),
  why: v.string(),
});

export const GuardRequestSchema = v.strictObject({
  /** Default: all apps that have no policy of their own. */
  app: v.optional(AppNameSchema),
  /** Null takes the policy out again. */
  mode: v.nullable(PolicyModeSchema),
  reason: ReasonSchema,
  ...dryRun,
});
export type GuardRequest = v.InferOutput<typeof GuardRequestSchema>;

const GuardPoliciesSchema = v.object({
  changed: v.boolean(),
  policies: v.array(PolicySchema),
  dryRun: v.optional(v.boolean()),
});
export type GuardPolicies = v.InferOutput<typeof GuardPoliciesSchema>;

const percentiles = { lcp: v.nullable(v.number()), inp: v.nullable(v.number()), cls: v.nullable(v.number()) };

/** The only browsers with these faults, such as `Safari`. Null: several, unknown, or possibly by chance. */
const onlyIn = v.optional(v.nullable(v.string()), null);

/** One version of an app on one route. */
const HealthRowSchema = v.object({
  app: v.string(),
  version: v.string(),
  route: v.string(),
  /** Whether these visitors saw the canary. */
  canary: v.boolean(),
  views: v.number(),
  faults: faultRate,
  onlyIn,
  forms: v.object({ sent: v.number(), failed: v.number() }),
  /** The 75th percentiles: milliseconds, and layout shift in parts of 1. Null where nothing was measured. */
  p75: v.object(percentiles),
  /** Of the version on all routes, while it is looked at. */
  verdict: v.nullable(VerdictSchema),
});
export type HealthRow = v.InferOutput<typeof HealthRowSchema>;

/** Faults of a version that are the same. */
const FaultGroupSchema = v.object({
  kind: v.string(),
  app: v.string(),
  version: v.string(),
  message: v.string(),
  file: v.nullable(v.string()),
  line: v.nullable(v.number()),
  column: v.nullable(v.number()),
  /** The same place in the sources, by its path in the repository, where the version was published with source maps. */
  source: v.optional(v.nullable(v.object({ file: v.string(), line: v.number(), column: v.number() })), null),
  routes: v.array(v.string()),
  /** In how many views it happened; of what browsers report by themselves how often it was reported. */
  count: v.number(),
  /** How often in which browsers, the commonest first. A registry of the version before does not tell. */
  browsers: v.optional(v.array(v.object({ name: v.string(), count: v.number() })), []),
  onlyIn,
  first: v.string(),
  last: v.string(),
  /** The version of the app in which the same fault was first reported. */
  firstVersion: v.optional(v.string()),
});
export type FaultGroup = v.InferOutput<typeof FaultGroupSchema>;

/** Hours are kept for this long. */
export const LONGEST_LOOK_MINUTES = 90 * 24 * 60;
/** How far back is looked, unless the request says so. */
export const LOOK_MINUTES = 60;

/** What visitors' browsers told, what follows from it, and what is done about it. */
export const guardCalls = {
  readGuard: call({
    method: 'GET',
    path: '/v1/channels/:channel/guard',
    summary: 'What the guard looks at, and what it may do',
    params,
    answer: v.object({
      policies: v.array(PolicySchema),
      judgements: v.array(JudgementSchema),
      stages: v.nullable(StagesSchema),
      fallbacks: v.array(FallbackSchema),
    }),
    scope: 'any token',
    errors: ['channel_unknown'],
  }),
  setGuard: call({
    method: 'POST',
    path: '/v1/channels/:channel/guard',
    summary: 'Say what the guard may do',
    params,
    body: GuardRequestSchema,
    answer: GuardPoliciesSchema,
    scope: 'ops',
    once: true,
    errors: ['channel_unknown', 'app_unknown'],
  }),
  listGuardActions: call({
    method: 'GET',
    path: '/v1/channels/:channel/guard/actions',
    summary: 'Actions of the guard, newest first',
    params,
    query: { app: v.optional(v.string()), limit: v.optional(numberInQuery('limit', PAGE), 20) },
    answer: v.object({ actions: v.array(ActionSchema) }),
    scope: 'any token',
    errors: ['channel_unknown', 'app_unknown'],
  }),
  readHealth: call({
    method: 'GET',
    path: '/v1/channels/:channel/health',
    summary: 'How the versions of apps did on their routes',
    description:
      '"minutes": how far back; beyond 2 days in whole hours. "versions": only these, separated by commas.',
    params,
    query: {
      app: v.optional(v.string()),
      route: v.optional(PagePathSchema),
      versions: v.optional(v.string()),
      minutes: v.optional(numberInQuery('minutes', LONGEST_LOOK_MINUTES), LOOK_MINUTES),
    },
    answer: v.object({ since: v.string(), rows: v.array(HealthRowSchema) }),
    scope: 'any token',
    errors: ['channel_unknown', 'app_unknown'],
  }),
  listFaults: call({
    method: 'GET',
    path: '/v1/channels/:channel/faults',
    summary: 'What the browsers of visitors ran into, newest first',
    params,
    query: {
      app: v.optional(v.string()),
      version: v.optional(v.string()),
      limit: v.optional(numberInQuery('limit', PAGE), 20),
    },
    answer: v.object({ faults: v.array(FaultGroupSchema) }),
    scope: 'any token',
    errors: ['channel_unknown', 'app_unknown'],
  }),
};
