import { randomUUID } from 'node:crypto';
import { IDEMPOTENCY_HEADER } from '@site/contract/idempotency-header';
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
 * A page made ahead of time has no idempotency key of its own, so a hash of what it posts is its key, behind this. With a
 * space no caller of the API can send such a one.
 */
export const FORM_POST_KEY = 'form post ';

/** Who sends, when, and how a repetition is told. */
export interface Sending {
  at: Date;
  /** The network address. */
  address: string;
  /** Empty for a visitor without an identity. */
  visitor: string;
  idempotencyKey: string | null;
  /** Null when the way it came has no captcha. */
  captcha: Captcha | null;
}

/**
 * Stores a submission once, however often it is sent: the same idempotency key, also when the visitor has got an identity
 * in between, or, without one, the same content of the same visitor. A visitor subscribes an e-mail to the newsletter once, whatever the key. A captcha's solution is spent
 * and the mails of a referral are queued with it, or nothing is: one that asks its sender, and the invitations, which
 * wait for the answer. A referral that is sent again while nobody can confirm it any more asks its sender again. The newsletter queues a
 * mail that asks the owner of the address, each time that it is entered; it is always answered as if it were new.
 *
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
    // Anyone can enter any address: whether it was here before, and whether its owner has removed it since, is not theirs to know.
    return { stored: row, created: true };
  }
  if (result.stored.visitor_unique_id === visitor) return result;
  // The key came first under another identity, or none. Whoever sends it again is not told which one.
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
  // What is kept as suspected spam needs no captcha: refusing it would tell its sender more, and us less.
  if (captcha === null || isNewsletter(submission.form) || submission.suspectedSpam) {
    return repository.store(row, { spend: null, ...together });
  }
  let solved: SolvedChallenge;
  try {
    solved = await captcha.check(submission.captcha, address);
  } catch (error) {
    // A repetition, perhaps after a lost answer, was verified when it came first.
    const stored = await repository.find(row);
    if (stored) return { stored, created: false };
    throw error;
  }
  const result = await repository.store({ ...row, verified_by: 'captcha' }, { spend: solved, ...together });
  if (result === 'spent') throw captchaInvalid('The solution was used already.');
  return result;
}

/** The same request once more, after a lost answer; a browser without JavaScript cannot tell it from another one. */
function isRetry({ idempotency_key }: SubscriptionRow, key: string | null): boolean {
  return key !== null && key === idempotency_key && !key.startsWith(FORM_POST_KEY);
}

function removeAt({ form }: CheckedSubmission, at: Date): Date | null {
  if (isNewsletter(form)) return removeUnconfirmedAt(at);
  return form.declared && new Date(at.getTime() + form.declared.keepDays * DAY_MS);
}

function noticeOf({ form: { definition, declared }, suspectedSpam }: CheckedSubmission): NoticeRow | null {
  if (suspectedSpam) return null;
  // Of the site's own forms no team is named: ops configure who is told by the name of the form.
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

/** Visitors without an identity have no natural key: what one of them sent must not show in another's answer. */
function naturalKey(
  submission: CheckedSubmission,
  visitor: string,
  idempotencyKey: string | null,
): string | null {
  if (visitor === '') return null;
  return isNewsletter(submission.form) || idempotencyKey === null ? submission.contentHash : null;
}
