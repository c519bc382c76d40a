import type { JobTables } from '@site/server/daily-job';
import type { AuditTables } from '@site/server/visitor-admin';
import type { Generated } from 'kysely';

export interface FormsTables extends AuditTables, JobTables {
  identities: IdentityTable;
  subscriptions: SubscriptionTable;
  secrets: { name: string; value: string };
  /** Until they expire. */
  spent_challenges: { id: string; expires_at: Date };
  emails: EmailTable;
  invited: InvitedTable;
  subscribers: SubscriberTable;
  counters: CounterTable;
  /** One row with the registry's last response: JSON of `LiveForm[]` and of `Brand`. */
  declared_forms: { id: number; forms: string; brand: string | null; fetched_at: Date };
  notices: NoticeTable;
  access_log: AccessLogTable;
  /** Mailboxes that opted out of all email. */
  unsubscribed: { email: string; created_at: Date };
}

export interface IdentityTable {
  unique_id: string;
  role_name: string;
  role_unique_id: string;
  email: Generated<string>;
  name: Generated<string>;
  username: Generated<string>;
  registered_at: Date;
  last_seen_at: Date;
}

export interface SubscriptionTable {
  id: string;
  email: string;
  source_id: string;
  form_fields: string;
  /** Empty without an identity. */
  visitor_unique_id: string;
  visitor_type: string;
  suspected_spam: boolean;
  /** The protection against bots: a solved captcha, or only the rate limit and the honeypot. */
  verified_by: 'captcha' | 'rate_limit';
  idempotency_key: string | null;
  /** Identifies repetitions by a visitor without an idempotency key; null: never equal. */
  natural_key: string | null;
  /** SHA-256 of the submission, to tell a retry from a reused key. */
  content_hash: string;
  created_at: Date;
  confirmed_at: Date | null;
  skipped: string | null;
  /** Set for declared forms and unconfirmed newsletter entries. */
  remove_at: Date | null;
  handled: Generated<boolean>;
  marked_at: Date | null;
  marked_by: string | null;
}

/** Contains no visitor data. */
export interface AccessLogTable {
  id: string;
  at: Date;
  by: string;
  action: 'listed' | 'exported' | 'subscribers' | 'shown' | `marked ${'new' | 'handled' | 'spam'}`;
  /** The `source_id`. */
  form: string;
  /** Null for a list. */
  submission: string | null;
  count: number;
}

export interface CounterTable {
  key: string;
  count: number;
  ends_at: Date;
}

export interface NoticeTable {
  source_id: string;
  title: string;
  /** The team of a declared form, or the name of a form of the site. */
  team: string;
  waiting: number;
  next_at: Date;
}

export interface EmailTable {
  id: string;
  subscription_id: string;
  /** `confirmation`: to the sender of a referral. `newsletter`: to confirm a subscription. */
  kind: Generated<'invitation' | 'confirmation' | 'newsletter'>;
  recipient: string;
  mailbox: string;
  /** The referrer's address. */
  sender: string;
  message: string;
  /**
   * `unconfirmed`: an invitation whose sender has not confirmed yet. `confirmed`: a used confirmation.
   * `skipped`: obsolete, or dropped by a limit.
   */
  status: Generated<'waiting' | 'sent' | 'failed' | 'unsubscribed' | 'skipped' | 'unconfirmed' | 'confirmed'>;
  attempts: Generated<number>;
  /** Not before this time; during an attempt, the end of its lease. */
  next_at: Date;
  /** Codes only: the texts of mail servers quote addresses. */
  last_error: string | null;
  created_at: Date;
  finished_at: Date | null;
  valid_until: Date | null;
  /** The subscriber whom the links of a newsletter confirmation unsubscribe. */
  subscriber_id: string | null;
}

export interface SubscriberTable {
  /** See `createSubscriberIds`. */
  id: string;
  subscription_id: string;
  mailbox: string;
  email: string;
  confirmed_at: Date;
  wording: string;
}

/**
 * Invited mailboxes. Outlives the referral and its erasure: the unsubscribe link must keep working, and the person must
 * not be invited again. Does not identify the referrer.
 */
export interface InvitedTable {
  invitation_id: string;
  email: string;
  invited_at: Date;
}
