import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { SubscriptionTable } from '../kernel/tables.ts';

type Row = Insertable<SubscriptionTable>;

/** A row of `subscriptions` of a visitor without an identity. */
export const storedSubmission = (
  row: Pick<Row, 'source_id' | 'form_fields' | 'created_at'> & Partial<Row>,
): Row => ({
  id: randomUUID(),
  email: 'ada@example.com',
  visitor_unique_id: '',
  visitor_type: 'guest',
  suspected_spam: false,
  verified_by: 'captcha',
  content_hash: '',
  ...row,
});
