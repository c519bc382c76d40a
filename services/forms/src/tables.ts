import type { Generated } from 'kysely';

/** The tables of the SQL schema `forms`. */
export interface FormsTables {
  identities: IdentityTable;
  subscriptions: SubscriptionTable;
}

export interface IdentityTable {
  unique_id: string;
  role_name: string;
  role_unique_id: string;
  email: Generated<string>;
  name: Generated<string>;
  username: Generated<string>;
  registered_at: Date;
}

export interface SubscriptionTable {
  id: string;
  email: string;
  source_id: string;
  /** The e-mail for the newsletter, JSON text of the checked fields for the other forms. */
  form_fields: string;
  /** Empty when the visitor had no identity. */
  visitor_unique_id: string;
  visitor_type: string;
  suspected_spam: boolean;
  idempotency_key: string | null;
  /** What makes two submissions of one visitor the same when there is no idempotency key; null: never the same. */
  natural_key: string | null;
  /** SHA-256 of what was submitted, to tell a repetition from a key that is used twice. */
  content_hash: string;
  created_at: Date;
}
