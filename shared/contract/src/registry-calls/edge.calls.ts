import * as v from 'valibot';
import { EdgeForgottenSchema } from '../channel-answers.schema.ts';
import {
  CanaryShareSchema,
  ChannelNameSchema,
  LogPositionSchema,
  ReleaseDigestSchema,
} from '../release.schema.ts';
import { EdgeSumsSchema, SignalKeySchema } from '../signals/sums.schema.ts';
import { call } from './call.ts';
import { ReasonedRequestSchema, StoredReleaseIdSchema } from './fields.ts';
import { EdgeIdSchema } from './scopes.ts';

const params = { edge: EdgeIdSchema };
const itself = {
  says: 'edge:<id> of this edge',
  of: ({ params: { edge } }: { params: { edge: string } }) => [`edge:${edge}`],
};

export const HeartbeatSchema = v.strictObject({
  channel: ChannelNameSchema,
  release: v.nullable(StoredReleaseIdSchema),
  canaries: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          ...CanaryShareSchema.entries,
          release: StoredReleaseIdSchema,
          digest: v.optional(ReleaseDigestSchema),
        }),
      ),
      v.maxLength(1_000),
    ),
    [],
  ),
  digest: v.optional(ReleaseDigestSchema),
  log: v.optional(LogPositionSchema),
  /** Its time, in milliseconds since 1970. */
  clock: v.optional(v.pipe(v.number(), v.integer())),
});
export type Heartbeat = v.InferOutput<typeof HeartbeatSchema>;

/** `senders`: always true; edges of 1.0.0 count forms and vitals by network only then. */
export const HeartbeatAnswerSchema = v.object({
  signals: v.object({ key: SignalKeySchema, senders: v.boolean() }),
  /** The edge serves the channel's current state, and caches are purged when that changes. */
  purges: v.optional(v.boolean()),
});
export type HeartbeatAnswer = v.InferOutput<typeof HeartbeatAnswerSchema>;

/** 2,000 cells with four full sketches and the networks of two each. */
const LARGEST_SUMS_BYTES = 32 * 1024 * 1024;

export const edgeCalls = {
  reportEdge: call({
    method: 'PUT',
    path: '/v1/edges/:edge',
    summary: 'Report the release of an edge',
    params,
    body: HeartbeatSchema,
    answer: HeartbeatAnswerSchema,
    scope: itself,
  }),
  reportSignals: call({
    method: 'POST',
    path: '/v1/edges/:edge/signals',
    summary: 'Submit browser metrics counted by an edge',
    description:
      'A batch is counted once, however often it is sent: its process ("boot") and "sequence" identify it.',
    params,
    maxBody: LARGEST_SUMS_BYTES,
    body: EdgeSumsSchema,
    answer: v.object({ counted: v.boolean() }),
    scope: itself,
  }),
  leaveEdge: call({
    method: 'DELETE',
    path: '/v1/edges/:edge',
    summary: 'Report the shutdown of an edge',
    description: 'Changes no longer wait for it.',
    params,
    scope: itself,
  }),
  forgetEdge: call({
    method: 'POST',
    path: '/v1/edges/:edge/removals',
    summary: 'Remove a lost edge',
    params,
    body: ReasonedRequestSchema,
    answer: EdgeForgottenSchema,
    scope: 'ops',
    once: true,
    errors: ['edge_unknown', 'edge_alive'],
  }),
};
