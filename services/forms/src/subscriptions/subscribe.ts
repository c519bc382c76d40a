import { randomUUID } from 'node:crypto';
import type { Subscription } from '@site/contract';
import { formsErrors } from '../errors.ts';
import { checkSubmission } from './submission.ts';
import type { Submission } from './submission.ts';
import type { SubscriptionRow, SubscriptionsRepository } from './subscriptions.repository.ts';

/**
 * Stores a submission once, however often it is sent: the same idempotency key or, without one, the same content of the
 * same visitor. A visitor subscribes an e-mail to the newsletter once, whatever the key.
 *
 * @throws ApiError `source_unknown`, `body_invalid`, `idempotency_key_reused`
 */
export async function subscribe(
  repository: SubscriptionsRepository,
  subscription: Subscription,
  { at, idempotencyKey }: { at: Date; idempotencyKey: string | null },
): Promise<{ stored: SubscriptionRow; created: boolean }> {
  const submission = checkSubmission(subscription);
  const result = await repository.store({
    id: randomUUID(),
    email: subscription.email,
    source_id: subscription.source_id,
    form_fields: submission.formFields,
    visitor_unique_id: subscription.visitor_unique_id,
    visitor_type: subscription.visitor_type,
    suspected_spam: submission.suspectedSpam,
    idempotency_key: idempotencyKey,
    natural_key: naturalKey(submission, subscription.visitor_unique_id, idempotencyKey),
    content_hash: submission.contentHash,
    created_at: at,
  });
  if (!result.created && result.stored.content_hash !== submission.contentHash) {
    throw formsErrors.idempotency_key_reused('A different submission came with this key.', {
      source: { header: 'idempotency-key' },
    });
  }
  return result;
}

/** Visitors without an identity have no natural key: what one of them sent must not show in another's answer. */
function naturalKey(submission: Submission, visitor: string, idempotencyKey: string | null): string | null {
  if (visitor === '') return null;
  return submission.form === 'newsletter' || idempotencyKey === null ? submission.contentHash : null;
}
