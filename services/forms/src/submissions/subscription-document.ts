import { formSources, type ReferralConfirmation } from '@site/contract';
import type { ResourceDocument } from '@site/server/json-api';
import type { SubscriptionRow } from './subscriptions.repository.ts';

const confirmed: readonly string[] = [formSources.referral, formSources.newsletter];

/**
 * A subscription as its sender may see it. `confirmation` is the same for all referrals and newsletter
 * entries, also dropped or known ones, since it must not reveal which.
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
