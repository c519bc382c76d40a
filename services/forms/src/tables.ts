import type { JobTables } from '@site/server/daily-job';
import type { AuditTables } from '@site/server/visitor-admin';
import type { Generated } from 'kysely';

/** The tables of the schema `forms`. */
export interface FormsTables extends AuditTables, JobTables {
  identities: IdentityTable;
  subscriptions: SubscriptionTable;
  secrets: { name: string; value: string };
  /** Spent captcha challenges, until they expire. */
  spent_challenges: { id: string; expires_at: Date };
  invitations: InvitationTable;
  invited: InvitedTable;
  readers: ReaderTable;
  counts: CountTable;
  /**
   * One row with the registry's last response: the declared forms as JSON of `LiveForm[]`, and the brand as
   * JSON of `Brand`; null without one.
   */
  declared_forms: { id: number; forms: string; brand: string | null; asked_at: Date };
  notices: NoticeTable;
  looks: LookTable;
  /** Mailboxes (`mailboxOf`) that opted out of all email. */
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
  /** The last registration, which happens at each visit. */
  last_seen_at: Date;
}

export interface SubscriptionTable {
  id: string;
  email: string;
  source_id: string;
  /** The email for the newsletter, JSON of the checked fields for the other forms. */
  form_fields: string;
  /** Empty without an identity. */
  visitor_unique_id: string;
  visitor_type: string;
  /** Set by the honeypot or by a person. */
  suspected_spam: boolean;
  /** The protection against bots: a solved captcha, or only the rate limit and the honeypot. */
  verified_by: 'captcha' | 'rate_limit';
  idempotency_key: string | null;
  /** Identifies repetitions by a visitor without an idempotency key; null: never equal. */
  natural_key: string | null;
  /** SHA-256 of the submission, to tell a retry from a reused key. */
  content_hash: string;
  created_at: Date;
  /** When the address's owner confirmed a referral or a newsletter entry. */
  confirmed_at: Date | null;
  /** Skipped recipients of a confirmed referral: JSON of `Skipped[]`. */
  skipped: string | null;
  /** The removal date: set by a declared form, or for unconfirmed newsletter entries. Null otherwise. */
  remove_at: Date | null;
  handled: Generated<boolean>;
  /** Time and author (a token's name) of the last manual state; null without one. */
  marked_at: Date | null;
  marked_by: string | null;
}

/** The access log. Contains no visitor data. */
export interface LookTable {
  id: string;
  at: Date;
  /** The name of a token. */
  by: string;
  action: 'listed' | 'exported' | 'readers' | 'shown' | `marked ${'new' | 'handled' | 'spam'}`;
  /** The `source_id`. */
  form: string;
  /** Null for a list. */
  submission: string | null;
  count: number;
}

/** Counters of limited actions, until they expire. */
export interface CountTable {
  /** A keyed hash of the kind and subject. */
  key: string;
  count: number;
  ends_at: Date;
}

/** Pending notifications by form. Contains no visitor data. */
export interface NoticeTable {
  source_id: string;
  title: string;
  /** The team of a declared form, or the name of a form of the site. */
  team: string;
  /** Submissions since the last notification. */
  waiting: number;
  /** Not before this time. */
  next_at: Date;
}

/**
 * The outbox: emails of a referral, to its sender and to each recipient, and confirmation emails of the
 * newsletter.
 */
export interface InvitationTable {
  id: string;
  subscription_id: string;
  kind: Generated<'invitation' | 'confirmation' | 'newsletter'>;
  recipient: string;
  /** `mailboxOf` the recipient. */
  mailbox: string;
  /** The referrer's address. */
  sender: string;
  message: string;
  /**
   * `unconfirmed`: an invitation whose sender has not confirmed yet. `confirmed`: a used confirmation.
   * `skipped`: the recipient has or will get another invitation, or is a subscriber already, or a limit
   * dropped the email.
   */
  status: Generated<'waiting' | 'sent' | 'failed' | 'unsubscribed' | 'skipped' | 'unconfirmed' | 'confirmed'>;
  /** The number of attempts. */
  attempts: Generated<number>;
  /** Not before this time; during an attempt, the end of its lease. */
  next_at: Date;
  /** Codes only: the texts of mail servers quote addresses. */
  last_error: string | null;
  created_at: Date;
  finished_at: Date | null;
  /** Expiry of a confirmation's link; null before it is sent. */
  valid_until: Date | null;
  /**
   * The subscriber (`createReaderIds`) whom the links of a newsletter confirmation unsubscribe, once they
   * exist.
   */
  reader_id: string | null;
}

/** Newsletter subscribers. A row is removed with its confirmed subscription. */
export interface ReaderTable {
  /** See `createReaderIds`. */
  id: string;
  subscription_id: string;
  /** `mailboxOf` the address. */
  mailbox: string;
  /** In the confirmed spelling. */
  email: string;
  confirmed_at: Date;
  /** The text of the consent. */
  wording: string;
}

/**
 * Invited mailboxes and times. Outlives the referral and its erasure: the unsubscribe link must keep working,
 * and the person must not be invited again. Does not identify the referrer.
 */
export interface InvitedTable {
  invitation_id: string;
  /** `mailboxOf` the recipient. */
  email: string;
  invited_at: Date;
}
