import { formSources, type ReferralConfirmation } from '@site/contract';
import type { ResourceDocument } from '@site/server/json-api';
import type { SubscriptionRow } from './subscriptions.repository.ts';

/** The forms that are confirmed by a link in a mail. */
const confirmed: readonly string[] = [formSources.referral, formSources.newsletter];

/**
 * A subscription as its JSON:API document: what its sender knows, and nothing of what was made of it. `confirmation` is how
 * referrals and the newsletter are confirmed here: the same for every one, also one that is dropped or known already, since a sender
 * must not learn that.
 */
export function subscriptionDocument(
  row: SubscriptionRow,
  confirmation: ReferralConfirmation,
): ResourceDocument {
  const visitor = row.visitor_unique_id === '' ? null : { type: 'guests', id: row.visitor_unique_id };
  return {
    data: {
      type: 'subscriptions',
      id: row.id,
      attributes: {
        email: row.email,
        source_id: row.source_id,
        created_at: row.created_at.toISOString(),
        confirmation: confirmed.includes(row.source_id) ? confirmation : null,
      },
      relationships: { visitor: { data: visitor } },
    },
  };
}
