import { randomUUID } from 'node:crypto';
import { IDEMPOTENCY_HEADER } from '@site/contract/http';
import type { Selectable } from 'kysely';
import { captchaInvalid, type Captcha, type SolvedChallenge } from '../captcha/captcha.ts';
import { formsErrors } from '../errors.ts';
import { confirmationFor, type ConfirmationsRepository } from '../invitations/confirmations.repository.ts';
import { mailboxOf } from '../limits/mailbox.ts';
import { DAY_MS } from '@site/server/durations';
import type { CountReferral, PostLimits } from '../limits/post-limits.ts';
import type { InvitationTable } from '../tables.ts';
import { removeUnconfirmedAt, type ReadersRepository } from '../newsletter/readers.repository.ts';
import { isNewsletter, isReferral, type CheckedSubmission } from './submission.ts';
import type { NoticeRow, SubscriptionRow, SubscriptionsRepository } from './subscriptions.repository.ts';

/**
 * A prefix for keys of plain form posts, which are hashes of their contents because a prerendered page has no
 * idempotency key. Its space cannot occur in keys of API clients.
 */
export const FORM_POST_KEY = 'form post ';

/** The sender, the time, and the idempotency key. */
export interface Sending {
  at: Date;
  /** The network address. */
  address: string;
  /** Empty without an identity. */
  visitor: string;
  idempotencyKey: string | null;
  /** Null for requests without a captcha. */
  captcha: Captcha | null;
}

/**
 * Stores a submission once. Retries are detected by the idempotency key, even if the visitor got an identity
 * in between, or else by equal contents of the same visitor. A visitor subscribes an email to the newsletter
 * once, whatever the key. The captcha is spent and the emails of a referral are queued in the same
 * transaction. A repeated referral whose links have expired gets a new confirmation email. Each newsletter
 * entry queues a confirmation email to the address's owner, and its response never reveals whether the
 * address was known.
 * @throws ApiError `captcha_invalid`, `idempotency_key_reused`, `rate_limited`
 */
export async function subscribe(
  {
    subscriptions,
    confirmations,
    readers,
    limits,
  }: {
    subscriptions: SubscriptionsRepository;
    confirmations: ConfirmationsRepository;
    readers: ReadersRepository;
    limits: PostLimits;
  },
  submission: CheckedSubmission,
  sending: Sending,
): Promise<{ stored: SubscriptionRow; created: boolean }> {
  const { at, visitor, idempotencyKey } = sending;
  const row: SubscriptionRow = {
    id: randomUUID(),
    email: submission.email,
    source_id: submission.form.definition.sourceId,
    form_fields: submission.formFields,
    visitor_unique_id: visitor,
    visitor_type: 'guest',
    suspected_spam: submission.suspectedSpam,
    verified_by: 'rate_limit',
    idempotency_key: idempotencyKey,
    natural_key: naturalKey(submission, visitor, idempotencyKey),
    content_hash: submission.contentHash,
    created_at: at,
    confirmed_at: null,
    skipped: null,
    remove_at: removeAt(submission, at),
    handled: false,
    marked_at: null,
    marked_by: null,
  };
  const countReferral = await limits.referralOf(sending.address);
  const result = await storeVerified(subscriptions, row, submission, {
    ...sending,
    countReferral: isReferral(submission.form) ? countReferral : null,
  });
  if (!result.created && result.stored.content_hash !== submission.contentHash) {
    throw formsErrors.idempotency_key_reused('A different submission came with this key.', {
      source: { header: IDEMPOTENCY_HEADER },
    });
  }
  if (!result.created && isReferral(submission.form))
    await confirmations.askAgain(result.stored.id, at, countReferral);
  if (isNewsletter(submission.form)) {
    if (!result.created && !isRetry(result.stored, idempotencyKey))
      await readers.askAgain(result.stored.id, at);
    // Anyone can enter any address: the response must not reveal whether it was known or removed.
    return { stored: row, created: true };
  }
  if (result.stored.visitor_unique_id === visitor) return result;
  // The key was first used under another identity or none, which is not revealed.
  const { id, created_at } = result.stored;
  return { stored: { ...row, id, created_at }, created: false };
}

async function storeVerified(
  repository: SubscriptionsRepository,
  row: SubscriptionRow,
  submission: CheckedSubmission,
  { address, captcha, countReferral }: Sending & { countReferral: CountReferral | null },
): Promise<{ stored: SubscriptionRow; created: boolean }> {
  const together = {
    invitations: invitationsOf(row, submission),
    notice: noticeOf(submission),
    countReferral,
  };
  // Suspected spam needs no captcha: rejecting it would only inform its sender.
  if (captcha === null || isNewsletter(submission.form) || submission.suspectedSpam) {
    return repository.store(row, { spend: null, ...together });
  }
  let solved: SolvedChallenge;
  try {
    solved = await captcha.check(submission.captcha, address);
  } catch (error) {
    // A retry was verified the first time.
    const stored = await repository.find(row);
    if (stored) return { stored, created: false };
    throw error;
  }
  const result = await repository.store({ ...row, verified_by: 'captcha' }, { spend: solved, ...together });
  if (result === 'spent') throw captchaInvalid('The solution was already used.');
  return result;
}

/** A retry after a lost response, or an indistinguishable repetition by a browser without JavaScript. */
function isRetry({ idempotency_key }: SubscriptionRow, key: string | null): boolean {
  return key !== null && key === idempotency_key && !key.startsWith(FORM_POST_KEY);
}

function removeAt({ form }: CheckedSubmission, at: Date): Date | null {
  if (isNewsletter(form)) return removeUnconfirmedAt(at);
  return form.declared && new Date(at.getTime() + form.declared.keepDays * DAY_MS);
}

function noticeOf({ form: { definition, declared }, suspectedSpam }: CheckedSubmission): NoticeRow | null {
  if (suspectedSpam) return null;
  // The site's own forms name no team: ops configure the recipient by form.
  return { source_id: definition.sourceId, title: definition.title, team: declared?.tell ?? definition.name };
}

function invitationsOf(row: SubscriptionRow, { form, invites, suspectedSpam }: CheckedSubmission) {
  if (suspectedSpam) return [];
  if (isNewsletter(form)) return [confirmationFor('newsletter', row, row.created_at)];
  if (invites.recipients.length === 0) return [];
  const invitations = invites.recipients.map((recipient): Selectable<InvitationTable> => ({
    id: randomUUID(),
    subscription_id: row.id,
    kind: 'invitation',
    recipient,
    mailbox: mailboxOf(recipient),
    sender: row.email,
    message: invites.message,
    status: 'unconfirmed',
    attempts: 0,
    next_at: row.created_at,
    last_error: null,
    created_at: row.created_at,
    finished_at: null,
    valid_until: null,
    reader_id: null,
  }));
  return [confirmationFor('confirmation', row, row.created_at), ...invitations];
}

/**
 * Visitors without an identity have no natural key: responses must not reveal other visitors' submissions.
 */
function naturalKey(
  submission: CheckedSubmission,
  visitor: string,
  idempotencyKey: string | null,
): string | null {
  if (visitor === '') return null;
  return isNewsletter(submission.form) || idempotencyKey === null ? submission.contentHash : null;
}
