import {
  InboxFormSchema,
  InboxListSchema,
  LookSchema,
  ReaderListSchema,
  SubmissionDocumentSchema,
  SubmissionFilterSchema,
  SubmissionListSchema,
  SubmissionMarkSchema,
} from '@site/contract/inbox.schema';
import type { Operation, Parameter } from '@site/server/service-description';
import * as v from 'valibot';

const query = (name: string, schema: v.GenericSchema, required = false): Parameter => ({
  name,
  in: 'query',
  required,
  schema,
});
/** For whom these calls are. */
export const forReaders =
  'For the registry, which says in the header "inbox-reader" whom it asks for, and for operators. Each look is noted: who looked, at which form, at how many submissions.';
const submission = { description: 'The submission.', schema: 'Submission' };

/** How the calls of the inbox are described. */
export const inboxOperations: Operation[] = [
  {
    method: 'get',
    path: '/admin/inboxes',
    summary: 'Count what came through each form',
    description: 'For the registry and operators. Nothing of what was sent is in it.',
    access: 'admin',
    answers: { 200: { description: 'Each form, and its counts.', schema: 'InboxList' } },
    errors: ['admin_token_invalid', 'request_malformed'],
  },
  {
    method: 'get',
    path: '/admin/submissions',
    summary: 'List what came through a form',
    description: `${forReaders} Newest first. The form is the name of one of the site, or the identifier of one that a remote declares, also when that is not live any more. Without a state: what nobody has dealt with. Spam is in no answer that does not ask for it.`,
    access: 'admin',
    parameters: [
      query('filter[form]', InboxFormSchema, true),
      query('filter[state]', SubmissionFilterSchema),
      query('page[size]', v.string()),
      query('page[before]', v.string()),
      query('lookFor', LookSchema),
    ],
    answers: { 200: { description: 'The submissions.', schema: 'SubmissionList' } },
    errors: ['admin_token_invalid', 'request_malformed'],
  },
  {
    method: 'get',
    path: '/admin/submissions/{id}',
    summary: 'Show a submission',
    description: forReaders,
    access: 'admin',
    answers: { 200: submission },
    errors: ['admin_token_invalid', 'request_malformed', 'submission_unknown'],
  },
  {
    method: 'patch',
    path: '/admin/submissions/{id}',
    summary: 'Say what a submission is: handled, spam, or new again',
    description: `${forReaders} Who said so first stays, with the time.`,
    access: 'admin',
    body: 'SubmissionMark',
    answers: { 200: submission },
    errors: ['admin_token_invalid', 'request_malformed', 'submission_id_mismatch', 'submission_unknown'],
  },
];

/** The schemas of these calls, by the names that the operations use. */
export const inboxSchemas = {
  InboxList: InboxListSchema,
  SubmissionList: SubmissionListSchema,
  Submission: SubmissionDocumentSchema,
  SubmissionMark: SubmissionMarkSchema,
  ReaderList: ReaderListSchema,
};
