import {
  InboxCursorSchema,
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
import { isWholeNumber } from '@site/contract/text';
import * as v from 'valibot';

export const pageSizeSchema = (fallback: number, max: number) =>
  v.pipe(
    v.optional(v.string(), String(fallback)),
    v.check((text) => isWholeNumber(text, 1, max), `Give a whole number from 1 to ${max}.`),
    v.transform(Number),
  );

export const cursorSchema = v.pipe(
  InboxCursorSchema,
  v.transform((text) => {
    const [at = '', id = ''] = text.split('~');
    return { at: new Date(Number(at)), id };
  }),
);

export const toCursor = (at: Date, id: string): string => `${at.getTime()}~${id}`;

const ListQuerySchema = v.object({
  'filter[form]': InboxFormSchema,
  'filter[state]': v.optional(SubmissionFilterSchema, 'new'),
  'page[size]': pageSizeSchema(50, MOST_SUBMISSIONS),
  'page[before]': v.optional(cursorSchema),
  /** Prefixed, because JSON:API reserves all-lower-case names. */
  lookFor: v.optional(LookSchema, 'list'),
});

export const forInboxReaders =
  'For the registry, which names its user in the header "inbox-reader", and for operators. Every read is logged: ' +
  'who, which form, how many submissions.';
const submission = { description: 'The submission.', schema: 'Submission' };

export const inboxSchemas = {
  InboxList: InboxListSchema,
  SubmissionList: SubmissionListSchema,
  Submission: SubmissionDocumentSchema,
  SubmissionMark: SubmissionMarkSchema,
  ReaderList: ReaderListSchema,
};

export const inboxOperations = {
  countInboxes: {
    method: 'get',
    path: '/admin/inboxes',
    summary: 'Count the submissions of each form',
    description: 'For the registry and operators. Contains no submitted data.',
    access: 'admin',
    answers: { 200: { description: 'Each form and its counts.', schema: 'InboxList' } },
    errors: ['admin_token_invalid', 'request_malformed'],
  },
  listSubmissions: {
    method: 'get',
    path: '/admin/submissions',
    summary: 'List the submissions of a form',
    description:
      `${forInboxReaders} Newest first. The form is the name of a form of the site, or the identifier of a declared ` +
      'form, live or not. Default state: not handled. Spam is returned only on request.',
    access: 'admin',
    query: ListQuerySchema,
    answers: { 200: { description: 'The submissions.', schema: 'SubmissionList' } },
    errors: ['admin_token_invalid', 'request_malformed'],
  },
} satisfies Operations<keyof typeof inboxSchemas>;

export const submissionOperations = {
  showSubmission: {
    method: 'get',
    path: '/admin/submissions/{id}',
    summary: 'Show a submission',
    description: forInboxReaders,
    access: 'admin',
    answers: { 200: submission },
    errors: ['admin_token_invalid', 'request_malformed', 'submission_unknown'],
  },
  markSubmission: {
    method: 'patch',
    path: '/admin/submissions/{id}',
    summary: 'Mark a submission as handled, spam, or new again',
    description: `${forInboxReaders} Repeating a state keeps its first author and time.`,
    access: 'admin',
    body: 'SubmissionMark',
    answers: { 200: submission },
    errors: ['admin_token_invalid', 'request_malformed', 'submission_id_mismatch', 'submission_unknown'],
  },
} satisfies Operations<keyof typeof inboxSchemas>;
