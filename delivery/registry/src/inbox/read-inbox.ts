import { UuidSchema } from '@site/contract';
import type { InboxResource, SubmissionResource, SubmissionState } from '@site/contract/inbox.schema';
import type { AnswerOf } from '@site/contract/registry-calls/call';
import type { inboxCalls, Submission } from '@site/contract/registry-calls/inbox.calls';
import * as v from 'valibot';
import { appendAudit, type AuditNote } from '../kernel/audit.repository.ts';
import { inTransaction } from '../kernel/in-transaction.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { InboxService, Wanted } from './inbox-service.ts';
import type { Actor } from '../kernel/actor.ts';
import type { RegistryContext } from '../kernel/context.ts';

type Context = Pick<RegistryContext, 'db' | 'inbox' | 'now'>;

/** Not audited: counts contain no personal data. */
export async function countSubmissions(
  context: Context,
  { name }: Pick<Actor, 'name'>,
): Promise<AnswerOf<typeof inboxCalls.countSubmissions>> {
  return { forms: (await requireInbox(context).counts(name)).map(formCounts) };
}

export async function listSubmissions(
  context: Context,
  { name }: Pick<Actor, 'name'>,
  wanted: Wanted,
): Promise<AnswerOf<typeof inboxCalls.listSubmissions>> {
  const { submissions, before } = await requireInbox(context).list(name, wanted);
  await note(context, name, {
    action: wanted.look === 'export' ? 'inbox.exported' : 'inbox.listed',
    subject: wanted.form,
    details: { state: wanted.state, count: submissions.length },
  });
  return { submissions: submissions.map(toSubmission), next: before };
}

export async function listReaders(
  context: Context,
  { name }: Pick<Actor, 'name'>,
  wanted: { limit: number; after?: string | undefined },
): Promise<AnswerOf<typeof inboxCalls.listReaders>> {
  const { readers, after } = await requireInbox(context).readers(name, wanted);
  await note(context, name, {
    action: 'inbox.readers',
    subject: 'newsletter',
    details: { count: readers.length },
  });
  return {
    readers: readers.map(({ attributes }) => ({
      email: attributes.email,
      askedAt: attributes.asked_at,
      confirmedAt: attributes.confirmed_at,
      wording: attributes.wording,
      unsubscribeUrl: attributes.unsubscribe_url,
    })),
    next: after,
  };
}

export async function showSubmission(
  context: Context,
  { name }: Pick<Actor, 'name'>,
  id: string,
): Promise<Submission> {
  const found = await requireInbox(context).show(name, requireId(id));
  await note(context, name, {
    action: 'inbox.shown',
    subject: found.attributes.form,
    details: { submission: found.id, count: 1 },
  });
  return toSubmission(found);
}

/** The forms service logs it with the change, in case this registry fails in between. */
export async function markSubmission(
  context: Context,
  { name }: Pick<Actor, 'name'>,
  id: string,
  { state, dryRun }: { state: SubmissionState; dryRun?: boolean | undefined },
): Promise<Submission> {
  // A dry run shows the submission, so it is audited as a view.
  if (dryRun) return { ...(await showSubmission(context, { name }, id)), state };
  const marked = await requireInbox(context).mark(name, requireId(id), state);
  await note(context, name, {
    action: 'inbox.marked',
    subject: marked.attributes.form,
    details: { submission: marked.id, state, count: 1 },
  });
  return toSubmission(marked);
}

function requireInbox({ inbox }: Context): InboxService {
  if (inbox) return inbox;
  throw registryErrors.inbox_unconfigured('This registry was started without FORMS_URL and INBOX_TOKEN.');
}

function requireId(text: string): string {
  const id = v.safeParse(UuidSchema, text);
  if (id.success) return id.output;
  throw registryErrors.submission_unknown(`No submission has the id "${text.slice(0, 50)}".`);
}

/**
 * Before responding: unaudited data is not shown. The audit log is permanent, so it contains no submission contents.
 */
async function note({ db, now }: Context, by: string, what: AuditNote): Promise<void> {
  await inTransaction(db, false, (transaction) => appendAudit({ transaction, by, at: now() }, what));
}

function formCounts({ id, attributes: { title, newest_at: newestAt, ...counts } }: InboxResource) {
  const { new: waiting, handled, spam } = counts;
  return { form: id, title, new: waiting, handled, spam, newestAt };
}

function toSubmission({ id, attributes }: SubmissionResource): Submission {
  const { form, email, fields, state } = attributes;
  return {
    ...{ id, form, email, fields, state },
    visitor: attributes.visitor_unique_id,
    verifiedBy: attributes.verified_by,
    sentAt: attributes.created_at,
    markedBy: attributes.marked_by,
    markedAt: attributes.marked_at,
    removeAt: attributes.remove_at,
  };
}
