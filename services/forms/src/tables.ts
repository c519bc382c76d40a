import type { JobTables } from '@site/server/daily-job';
import type { AuditTables } from '@site/server/visitor-admin';
import type { Generated } from 'kysely';

/** The tables of the SQL schema `forms`. */
export interface FormsTables extends AuditTables, JobTables {
  identities: IdentityTable;
  subscriptions: SubscriptionTable;
  secrets: { name: string; value: string };
  /** Captcha challenges whose solution has been taken, until they expire. */
  spent_challenges: { id: string; expires_at: Date };
  invitations: InvitationTable;
  invited: InvitedTable;
  readers: ReaderTable;
  counts: CountTable;
  /**
   * One row: what the registry said last of the forms that remotes declare, as JSON text of `LiveForm[]`, and of the brand, as that of
   * `Brand`; null while the live release has none.
   */
  declared_forms: { id: number; forms: string; brand: string | null; asked_at: Date };
  notices: NoticeTable;
  looks: LookTable;
  /** Mailboxes (`mailboxOf`) that never get mail again. */
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
  /** When it was registered last: the site does so at each visit. */
  last_seen_at: Date;
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
  /** A program filled in what people do not see, or a person said so. */
  suspected_spam: boolean;
  /** What kept programs out: a solved captcha, or only the limit of posts per address and the honeypot. */
  verified_by: 'captcha' | 'rate_limit';
  idempotency_key: string | null;
  /** What makes two submissions of one visitor the same when there is no idempotency key; null: never the same. */
  natural_key: string | null;
  /** SHA-256 of what was submitted, to tell a repetition from a key that is used twice. */
  content_hash: string;
  created_at: Date;
  /** When the sender of a referral, or a subscriber to the newsletter, confirmed their own address. */
  confirmed_at: Date | null;
  /** Whom a confirmed referral left out because of what its sender did: JSON text of `Skipped[]`. */
  skipped: string | null;
  /**
   * When it is to be removed: as the form that a remote declared says, or unless somebody confirms it for the newsletter. Null for
   * all else.
   */
  remove_at: Date | null;
  /** Whether somebody has dealt with it. */
  handled: Generated<boolean>;
  /** When somebody said last what it is, and the name of the token; null while nobody has. */
  marked_at: Date | null;
  marked_by: string | null;
}

/** Who looked at what was sent. Nothing in it is of a visitor. */
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

/** How often something happened that is limited, until its time is over. */
export interface CountTable {
  /** A keyed hash of what is counted, and of whom. */
  key: string;
  count: number;
  ends_at: Date;
}

/** Who is still to be told of submissions, by form. Nothing in it is of a visitor. */
export interface NoticeTable {
  source_id: string;
  title: string;
  /** The team that a remote's form names; of a form of the site, its name. */
  team: string;
  /** How many have come since they were told. */
  waiting: number;
  /** Not before this time. */
  next_at: Date;
}

/**
 * The outbox: the mails of a referral, to its sender (to confirm their own address) and to each recipient; and those that ask whether an
 * address is for the newsletter.
 */
export interface InvitationTable {
  id: string;
  subscription_id: string;
  kind: Generated<'invitation' | 'confirmation' | 'newsletter'>;
  recipient: string;
  /** `mailboxOf` the recipient. */
  mailbox: string;
  /** The address of the person who referred them. */
  sender: string;
  message: string;
  /**
   * `unconfirmed`: an invitation whose sender has not confirmed yet. `confirmed`: a confirmation that has been used.
   * `skipped`: another invitation had reached the recipient, or is about to; the address gets the newsletter already; or a limit kept
   * the mail from going out.
   */
  status: Generated<'waiting' | 'sent' | 'failed' | 'unsubscribed' | 'skipped' | 'unconfirmed' | 'confirmed'>;
  /** How often sending was begun. */
  attempts: Generated<number>;
  /** Not before this time; while it is being sent, when another instance may take it over. */
  next_at: Date;
  /** Codes only: the texts of mail servers quote addresses. */
  last_error: string | null;
  created_at: Date;
  finished_at: Date | null;
  /** Until when the link of a confirmation can be used; null before it was sent. */
  valid_until: Date | null;
  /** Of a mail that asks for the newsletter, once its links are made: the reader (`createReaderIds`) whom they unsubscribe. */
  reader_id: string | null;
}

/** Who gets the newsletter. It goes with the subscription that was confirmed. */
export interface ReaderTable {
  /** See `createReaderIds`. */
  id: string;
  subscription_id: string;
  /** `mailboxOf` the address. */
  mailbox: string;
  /** In the spelling that was confirmed. */
  email: string;
  confirmed_at: Date;
  /** What was agreed to. */
  wording: string;
}

/**
 * Who was sent an invitation, and when. It outlives the referral and its erasure: without it the link in the mail would
 * no longer work, and the next referral would write to the same person again. It says nothing of who referred them.
 */
export interface InvitedTable {
  invitation_id: string;
  /** `mailboxOf` the recipient. */
  email: string;
  invited_at: Date;
}
