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
import { mapSchema } from '../map.schema.ts';
import { call } from './call.ts';
import { dryRun, numberInQuery } from './fields.ts';

/** One thing that a visitor sent. Whatever is in it was written by a stranger. */
const SubmissionSchema = v.object({
  id: v.string(),
  /** The name of a form of the site, or the identifier of one that a remote declares. */
  form: v.string(),
  email: v.string(),
  /** By the names of the form; none of the newsletter. */
  fields: mapSchema(v.string(), v.unknown()),
  /** The id of the guest; empty where the visitor had none. */
  visitor: v.string(),
  /** What kept programs out: a solved captcha, or only the limits. */
  verifiedBy: v.string(),
  sentAt: v.string(),
  state: SubmissionStateSchema,
  /** Who said so last, and when; null while nobody has. */
  markedBy: v.nullable(v.string()),
  markedAt: v.nullable(v.string()),
  /** When it is removed; null where that does not depend on the form. */
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
      /** When the newest one that is not spam came. */
      newestAt: v.nullable(v.string()),
    }),
  ),
});

const SubmissionsSchema = v.object({
  /** Newest first. */
  submissions: v.array(SubmissionSchema),
  /** What to ask with for those before; null when there are none. */
  next: v.nullable(v.string()),
});

const ReaderSchema = v.object({
  email: v.string(),
  /** When the address was entered, and when its owner confirmed it. */
  askedAt: v.string(),
  confirmedAt: v.string(),
  /** What the owner agreed to. */
  wording: v.string(),
  /** For the letter, and for its header List-Unsubscribe. It never expires. */
  unsubscribeUrl: v.string(),
});
export type Reader = v.InferOutput<typeof ReaderSchema>;

const ReadersSchema = v.object({
  /** The first confirmed first. */
  readers: v.array(ReaderSchema),
  /** What to ask with for those after; null when there are none. */
  next: v.nullable(v.string()),
});

const params = { submission: v.string() };
const errors = ['inbox_unconfigured', 'inbox_unavailable'];
const audited = 'Every view is audit-logged: who, which form, how many submissions.';

/** What visitors sent. The forms service has it; the registry knows who may look, and notes it. */
export const inboxCalls = {
  countSubmissions: call({
    method: 'GET',
    path: '/v1/inbox',
    summary: 'Each form, and how much came through it',
    answer: InboxesSchema,
    scope: 'inbox',
    errors,
  }),
  listSubmissions: call({
    method: 'GET',
    path: '/v1/inbox/submissions',
    summary: 'What came through a form',
    description: `${audited} Spam is in no answer that does not ask for it.`,
    query: {
      form: InboxFormSchema,
      state: v.optional(SubmissionFilterSchema, 'new'),
      limit: v.optional(numberInQuery('limit', MOST_SUBMISSIONS), 50),
      /** `next` of the answer before. */
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
    summary: 'Who gets the newsletter',
    description: `The confirmed addresses, with the moment and the words of the consent. ${audited}`,
    query: {
      limit: v.optional(numberInQuery('limit', MOST_READERS), MOST_READERS),
      /** `next` of the answer before. */
      after: v.optional(InboxCursorSchema),
    },
    answer: ReadersSchema,
    scope: 'inbox',
    errors,
  }),
  showSubmission: call({
    method: 'GET',
    path: '/v1/inbox/submissions/:submission',
    summary: 'Show one submission',
    description: audited,
    params,
    answer: SubmissionSchema,
    scope: 'inbox',
    errors: [...errors, 'submission_unknown'],
  }),
  markSubmission: call({
    method: 'POST',
    path: '/v1/inbox/submissions/:submission/marks',
    summary: 'Say that a submission is handled, spam, or new again',
    description: 'Who said so first stays, with the time: repeating it changes nothing.',
    params,
    body: v.strictObject({ state: SubmissionStateSchema, ...dryRun }),
    answer: SubmissionSchema,
    scope: 'inbox',
    errors: [...errors, 'submission_unknown'],
  }),
};
