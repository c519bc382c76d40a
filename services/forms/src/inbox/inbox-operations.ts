import {
  InboxFormSchema,
  InboxListSchema,
  LookSchema,
  MOST_SUBMISSIONS,
  ReaderListSchema,
  SubmissionDocumentSchema,
  SubmissionFilterSchema,
  SubmissionListSchema,
  SubmissionMarkSchema,
} from '@site/contract/inbox.schema';
import type { Operations } from '@site/server/service-description';
import * as v from 'valibot';
import { cursorSchema, pageSizeSchema } from './inbox-query.ts';

const ListQuerySchema = v.object({
  'filter[form]': InboxFormSchema,
  'filter[state]': v.optional(SubmissionFilterSchema, 'new'),
  'page[size]': pageSizeSchema(50, MOST_SUBMISSIONS),
  'page[before]': v.optional(cursorSchema),
  /** A name of our own: JSON:API keeps those of small letters alone for itself. */
  lookFor: v.optional(LookSchema, 'list'),
});

/** For whom these calls are. */
export const forReaders =
  'For the registry, which says in the header "inbox-reader" whom it asks for, and for operators. Each look is noted: who looked, at which form, at how many submissions.';
const submission = { description: 'The submission.', schema: 'Submission' };

/** The schemas of these calls, by the names that the operations use. */
export const inboxSchemas = {
  InboxList: InboxListSchema,
  SubmissionList: SubmissionListSchema,
  Submission: SubmissionDocumentSchema,
  SubmissionMark: SubmissionMarkSchema,
  ReaderList: ReaderListSchema,
};

/** What came, by form. */
export const inboxOperations = {
  countInboxes: {
    method: 'get',
    path: '/admin/inboxes',
    summary: 'Count what came through each form',
    description: 'For the registry and operators. Nothing of what was sent is in it.',
    access: 'admin',
    answers: { 200: { description: 'Each form, and its counts.', schema: 'InboxList' } },
    errors: ['admin_token_invalid', 'request_malformed'],
  },
  listSubmissions: {
    method: 'get',
    path: '/admin/submissions',
    summary: 'List what came through a form',
    description: `${forReaders} Newest first. The form is the name of one of the site, or the identifier of one that a remote declares, also when that is not live any more. Without a state: what nobody has dealt with. Spam is in no answer that does not ask for it.`,
    access: 'admin',
    query: ListQuerySchema,
    answers: { 200: { description: 'The submissions.', schema: 'SubmissionList' } },
    errors: ['admin_token_invalid', 'request_malformed'],
  },
} satisfies Operations<keyof typeof inboxSchemas>;

/** One submission. */
export const submissionOperations = {
  showSubmission: {
    method: 'get',
    path: '/admin/submissions/{id}',
    summary: 'Show a submission',
    description: forReaders,
    access: 'admin',
    answers: { 200: submission },
    errors: ['admin_token_invalid', 'request_malformed', 'submission_unknown'],
  },
  markSubmission: {
    method: 'patch',
    path: '/admin/submissions/{id}',
    summary: 'Say what a submission is: handled, spam, or new again',
    description: `${forReaders} Who said so first stays, with the time.`,
    access: 'admin',
    body: 'SubmissionMark',
    answers: { 200: submission },
    errors: ['admin_token_invalid', 'request_malformed', 'submission_id_mismatch', 'submission_unknown'],
  },
} satisfies Operations<keyof typeof inboxSchemas>;
