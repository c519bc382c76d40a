import * as v from 'valibot';
import {
  InboxFormSchema,
  LookSchema,
  MOST_READERS,
  MOST_SUBMISSIONS,
  InboxCursorSchema,
  SubmissionFilterSchema,
  SubmissionStateSchema,
} from '../inbox.schema.ts';
import { mapSchema } from '../schema-tools.ts';
import { call } from './call.ts';
import { dryRun, numberInQuery } from './fields.ts';

const SubmissionSchema = v.object({
  id: v.string(),
  form: v.string(),
  email: v.string(),
  fields: mapSchema(v.string(), v.unknown()),
  visitor: v.string(),
  verifiedBy: v.string(),
  sentAt: v.string(),
  state: SubmissionStateSchema,
  markedBy: v.nullable(v.string()),
  markedAt: v.nullable(v.string()),
  removeAt: v.nullable(v.string()),
});
export type Submission = v.InferOutput<typeof SubmissionSchema>;

const InboxesSchema = v.object({
  forms: v.array(
    v.object({
      form: v.string(),
      title: v.string(),
      new: v.number(),
      handled: v.number(),
      spam: v.number(),
      newestAt: v.nullable(v.string()),
    }),
  ),
});

const SubmissionsSchema = v.object({
  /** Newest first. */
  submissions: v.array(SubmissionSchema),
  next: v.nullable(v.string()),
});

const ReaderSchema = v.object({
  email: v.string(),
  askedAt: v.string(),
  confirmedAt: v.string(),
  wording: v.string(),
  unsubscribeUrl: v.string(),
});
export type Reader = v.InferOutput<typeof ReaderSchema>;

const ReadersSchema = v.object({
  /** In order of confirmation. */
  readers: v.array(ReaderSchema),
  next: v.nullable(v.string()),
});

const params = { submission: v.string() };
const errors = ['inbox_unconfigured', 'inbox_unavailable'];
const audited = 'Every view is audit-logged: who, which form, how many submissions.';

export const inboxCalls = {
  countSubmissions: call({
    method: 'GET',
    path: '/v1/inbox',
    summary: 'List all forms with their numbers of submissions',
    answer: InboxesSchema,
    scope: 'inbox',
    errors,
  }),
  listSubmissions: call({
    method: 'GET',
    path: '/v1/inbox/submissions',
    summary: 'List the submissions of a form',
    description: `${audited} Spam is returned only on request.`,
    query: {
      form: InboxFormSchema,
      state: v.optional(SubmissionFilterSchema, 'new'),
      limit: v.optional(numberInQuery('limit', MOST_SUBMISSIONS), 50),
      before: v.optional(InboxCursorSchema),
      look: v.optional(LookSchema, 'list'),
    },
    answer: SubmissionsSchema,
    scope: 'inbox',
    errors,
  }),
  listReaders: call({
    method: 'GET',
    path: '/v1/inbox/readers',
    summary: 'List the newsletter subscribers',
    description: `The confirmed addresses, with time and text of the consent. ${audited}`,
    query: {
      limit: v.optional(numberInQuery('limit', MOST_READERS), MOST_READERS),
      after: v.optional(InboxCursorSchema),
    },
    answer: ReadersSchema,
    scope: 'inbox',
    errors,
  }),
  showSubmission: call({
    method: 'GET',
    path: '/v1/inbox/submissions/:submission',
    summary: 'Read one submission',
    description: audited,
    params,
    answer: SubmissionSchema,
    scope: 'inbox',
    errors: [...errors, 'submission_unknown'],
  }),
  markSubmission: call({
    method: 'POST',
    path: '/v1/inbox/submissions/:submission/marks',
    summary: 'Mark a submission as handled, spam, or new again',
    description: 'Repeating a state keeps its first author and time.',
    params,
    body: v.strictObject({ state: SubmissionStateSchema, ...dryRun }),
    answer: SubmissionSchema,
    scope: 'inbox',
    errors: [...errors, 'submission_unknown'],
  }),
};
