import { randomUUID } from 'node:crypto';
import { IDEMPOTENCY_HEADER } from '@site/contract/http';
import { captchaInvalid, type Captcha, type SolvedChallenge } from './captcha.ts';
import { formsErrors } from '../kernel/errors.ts';
import { DAY_MS } from '@site/server/durations';
import type { CountReferral, PostLimits } from '../kernel/post-limits.ts';
import type { Notice } from '../outbox/notices.ts';
import { newConfirmation, newEmail, type EmailRow } from '../outbox/outbox.repository.ts';
import type { ConfirmationsRepository } from '../referrals/confirmations.repository.ts';
import { unconfirmedExpiry, type SubscribersRepository } from '../newsletter/subscribers.repository.ts';
import { isNewsletter, isReferral, type CheckedSubmission } from './submission.ts';
import type { SubscriptionRow, SubscriptionsRepository } from './subscriptions.repository.ts';

/**
 * A prefix for keys of plain form posts, which are hashes of their contents because a prerendered page has no
 * idempotency key. Its space cannot occur in keys of API clients.
 */
export const FORM_POST_KEY = 'form post ';

export interface Sending {
  at: Date;
  address: string;
  /** Empty without an identity. */
  visitor: string;
  idempotencyKey: string | null;
  captcha: Captcha | null;
}

/**
 * Stores a submission once. Retries are detected by the idempotency key, even if the visitor got an identity in
 * between, or else by equal contents of the same visitor. A repeated referral or newsletter entry may request its
 * confirmation again.
 * @throws ApiError `captcha_invalid`, `idempotency_key_reused`, `rate_limited`
 */
export async function subscribe(
  {
    subscriptions,
    confirmations,
    subscribers,
    limits,
  }: {
    subscriptions: SubscriptionsRepository;
    confirmations: ConfirmationsRepository;
    subscribers: SubscribersRepository;
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
  const countReferral = await limits.countReferral(sending.address);
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
    await confirmations.requestAgain(result.stored.id, at, countReferral);
  if (isNewsletter(submission.form)) {
    if (!result.created && !isRetry(result.stored, idempotencyKey))
      await subscribers.requestAgain(result.stored.id, at);
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
  const related = {
    emails: createEmails(row, submission),
    notice: createNotice(submission),
    countReferral,
  };
  // Suspected spam needs no captcha: rejecting it would only inform its sender.
  if (captcha === null || isNewsletter(submission.form) || submission.suspectedSpam) {
    return repository.store(row, { spend: null, ...related });
  }
  let solved: SolvedChallenge;
  try {
    solved = await captcha.check(submission.captcha, address);
  } catch (error) {
    const stored = await repository.find(row);
    if (stored) return { stored, created: false };
    throw error;
  }
  const result = await repository.store({ ...row, verified_by: 'captcha' }, { spend: solved, ...related });
  if (result === 'spent') throw captchaInvalid('The solution was already used.');
  return result;
}

/** A retry after a lost response, or an indistinguishable repetition by a browser without JavaScript. */
function isRetry({ idempotency_key }: SubscriptionRow, key: string | null): boolean {
  return key !== null && key === idempotency_key && !key.startsWith(FORM_POST_KEY);
}

function removeAt({ form }: CheckedSubmission, at: Date): Date | null {
  if (isNewsletter(form)) return unconfirmedExpiry(at);
  return form.declared && new Date(at.getTime() + form.declared.keepDays * DAY_MS);
}

function createNotice({ form: { definition, declared }, suspectedSpam }: CheckedSubmission): Notice | null {
  if (suspectedSpam) return null;
  // The site's own forms name no team: ops configure the recipient by form.
  return { source_id: definition.sourceId, title: definition.title, team: declared?.tell ?? definition.name };
}

function createEmails(row: SubscriptionRow, { form, invites, suspectedSpam }: CheckedSubmission): EmailRow[] {
  const { id, email, created_at: at } = row;
  if (suspectedSpam) return [];
  if (isNewsletter(form)) return [newConfirmation('newsletter', row, at)];
  if (invites.recipients.length === 0) return [];
  const invitations = invites.recipients.map((recipient) =>
    newEmail(
      {
        subscription_id: id,
        kind: 'invitation',
        recipient,
        sender: email,
        message: invites.message,
        status: 'unconfirmed',
      },
      at,
    ),
  );
  return [newConfirmation('confirmation', row, at), ...invitations];
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
