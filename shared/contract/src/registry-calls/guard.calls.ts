import * as v from 'valibot';
import { AppNameSchema } from '../app-name.schema.ts';
import { ReasonSchema } from '../author-fields.ts';
import { ChannelNameSchema } from '../release.schema.ts';
import { PagePathSchema } from '../route.schema.ts';
import { call } from './call.ts';
import { dryRun, numberInQuery, PAGE } from './fields.ts';

const params = { channel: ChannelNameSchema };

/** The guard's policy for a bad version: act (abort or roll back), suggest, or off. */
export const PolicyModeSchema = v.picklist(['act', 'suggest', 'off']);
export type PolicyMode = v.InferOutput<typeof PolicyModeSchema>;

const PolicySchema = v.object({
  app: v.nullable(v.string()),
  mode: PolicyModeSchema,
  by: v.string(),
  at: v.string(),
  reason: v.string(),
});

export const VerdictSchema = v.picklist(['good', 'bad', 'waiting']);

/** The share of views with a fault (0 to 1), and its 95 % confidence interval. Null without views. */
export const faultRate = v.nullable(v.object({ rate: v.number(), low: v.number(), high: v.number() }));

/** The track record of a version: `proven` states why it is good. */
export const StandingSchema = v.object({
  verdict: VerdictSchema,
  since: v.string(),
  proven: v.nullable(v.string()),
});
export type Standing = v.InferOutput<typeof StandingSchema>;

/** A watched version. */
const JudgementSchema = v.object({
  app: v.string(),
  version: v.string(),
  control: v.nullable(v.string()),
  release: v.string(),
  canary: v.boolean(),
  verdict: VerdictSchema,
  since: v.string(),
  says: v.string(),
});
export type GuardJudgement = v.InferOutput<typeof JudgementSchema>;

const StagesSchema = v.object({
  release: v.string(),
  app: v.string(),
  shares: v.array(v.number()),
  everyMinutes: v.number(),
  share: v.number(),
  since: v.string(),
  says: v.string(),
});
export type GuardStages = v.InferOutput<typeof StagesSchema>;

const FallbackSchema = v.object({ app: v.string(), version: v.string(), proven: v.nullable(v.string()) });
export type Fallback = v.InferOutput<typeof FallbackSchema>;

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
  app: v.optional(AppNameSchema),
  /** Null removes the policy. */
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

const onlyIn = v.optional(v.nullable(v.string()), null);

const HealthRowSchema = v.object({
  app: v.string(),
  version: v.string(),
  route: v.string(),
  canary: v.boolean(),
  views: v.number(),
  faults: faultRate,
  onlyIn,
  forms: v.object({ sent: v.number(), failed: v.number() }),
  p75: v.object(percentiles),
  verdict: v.nullable(VerdictSchema),
});
export type HealthRow = v.InferOutput<typeof HealthRowSchema>;

const FaultGroupSchema = v.object({
  kind: v.string(),
  app: v.string(),
  version: v.string(),
  message: v.string(),
  file: v.nullable(v.string()),
  line: v.nullable(v.number()),
  column: v.nullable(v.number()),
  source: v.optional(v.nullable(v.object({ file: v.string(), line: v.number(), column: v.number() })), null),
  routes: v.array(v.string()),
  count: v.number(),
  browsers: v.optional(v.array(v.object({ name: v.string(), count: v.number() })), []),
  onlyIn,
  first: v.string(),
  last: v.string(),
  firstVersion: v.optional(v.string()),
});
export type FaultGroup = v.InferOutput<typeof FaultGroupSchema>;

export const LONGEST_LOOK_MINUTES = 90 * 24 * 60;
/** The default time range. */
export const LOOK_MINUTES = 60;

export const guardCalls = {
  readGuard: call({
    method: 'GET',
    path: '/v1/channels/:channel/guard',
    summary: "Read the guard's observations and policy",
    params,
    answer: v.object({
      policies: v.array(PolicySchema),
      judgements: v.array(JudgementSchema),
      stages: v.array(StagesSchema),
      fallbacks: v.array(FallbackSchema),
    }),
    scope: 'any token',
    errors: ['channel_unknown'],
  }),
  setGuard: call({
    method: 'POST',
    path: '/v1/channels/:channel/guard',
    summary: "Set the guard's policy",
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
    summary: 'Read the health of versions by route',
    description: '"minutes": time range; whole hours beyond 2 days. "versions": only these, comma-separated.',
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
    summary: 'List browser errors, newest first',
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
