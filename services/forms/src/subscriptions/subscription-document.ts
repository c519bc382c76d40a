import type { ResourceDocument } from '@site/server/json-api';
import type { SubscriptionRow } from './subscriptions.repository.ts';

/** A subscription as its JSON:API document: what its sender knows, and nothing of what was made of it. */
export function subscriptionDocument(row: SubscriptionRow): ResourceDocument {
  const visitor = row.visitor_unique_id === '' ? null : { type: 'guests', id: row.visitor_unique_id };
  return {
    data: {
      type: 'subscriptions',
      id: row.id,
      attributes: { email: row.email, source_id: row.source_id, created_at: row.created_at.toISOString() },
      relationships: { visitor: { data: visitor } },
    },
  };
}
