import { randomUUID } from 'node:crypto';
import { countRows, type Visitor, type VisitorRecords } from '@site/server/visitor-admin';
import { formSources } from '@site/contract';
import { sql, type Kysely } from 'kysely';
import { mailboxSql, toMailbox } from './kernel/mailbox.ts';
import type { FormsTables } from './kernel/tables.ts';
import type { EmailLimits } from './outbox/email-limits.ts';
import { readSkipped } from './referrals/recipients.ts';
import { FORM_POST_KEY } from './submissions/subscribe.ts';

const isIdentity = ({ id, email }: Visitor) =>
  email === undefined ? sql<boolean>`unique_id = ${id}` : isMailbox('email', email);
const isSender = ({ id, email }: Visitor) =>
  email === undefined ? sql<boolean>`visitor_unique_id = ${id}` : isMailbox('subscriptions.email', email);
/** By address: includes emails of other senders. */
const isRecipient = ({ email }: Visitor) =>
  email === undefined ? sql<boolean>`false` : sql<boolean>`mailbox = ${toMailbox(email)}`;
/** In any spelling: a row with another spelling would also confirm a guess of the mailbox. */
const isMailbox = (column: string, email: string) =>
  sql<boolean>`${mailboxSql(column)} = ${toMailbox(email)}`;

/**
 * The forms service's data about a visitor: the identity, its submissions, its newsletter subscription, and
 * their emails; by email address in all spellings of its mailbox, also submissions without an identity and
 * mentions in referrals of others. Nothing may remain that confirms a guessed address, so the unsubscribe
 * list forgets it as well. Erasing a guest keeps invited addresses, because they do not identify the guest.
 */
export function createVisitorRecords(db: Kysely<FormsTables>, limits: EmailLimits): VisitorRecords {
  const sentBy = (executor: Kysely<FormsTables>, visitor: Visitor) =>
    executor.selectFrom('subscriptions').select('subscriptions.id').where(isSender(visitor));

  const findEmails = (executor: Kysely<FormsTables>, visitor: Visitor) =>
    executor
      .selectFrom('emails')
      .selectAll()
      .where(({ eb, or }) =>
        or([eb('subscription_id', 'in', sentBy(executor, visitor)), isRecipient(visitor)]),
      );

  const findSubscribers = (executor: Kysely<FormsTables>, visitor: Visitor) =>
    executor
      .selectFrom('subscribers')
      .selectAll()
      .where(({ eb, or }) =>
        or([eb('subscription_id', 'in', sentBy(executor, visitor)), isRecipient(visitor)]),
      );

  /** Referrals of others that name an address among the recipients. */
  async function findMentions(executor: Kysely<FormsTables>, { email }: Visitor) {
    if (email === undefined) return [];
    const mailbox = toMailbox(email);
    const at = mailbox.lastIndexOf('@');
    const rows = await executor
      .selectFrom('subscriptions')
      .select(['id', 'form_fields', 'skipped'])
      .where('source_id', '=', formSources.referral)
      .where(sql<boolean>`not ${isMailbox('subscriptions.email', email)}`)
      // Few rows, so they can be parsed one by one.
      .where(sql<boolean>`strpos(lower(form_fields), ${mailbox.slice(0, at)}) > 0`)
      .where(sql<boolean>`strpos(lower(form_fields), ${mailbox.slice(at)}) > 0`)
      .execute();
    return rows.flatMap(({ id, form_fields, skipped }) => {
      const fields = JSON.parse(form_fields) as { to_emails?: string[] };
      const others = (fields.to_emails ?? []).filter((recipient) => toMailbox(recipient) !== mailbox);
      if (others.length === (fields.to_emails ?? []).length) return [];
      const kept = readSkipped(skipped).filter((each) => toMailbox(each.email) !== mailbox);
      return [
        {
          id,
          without: {
            form_fields: JSON.stringify({ ...fields, to_emails: others }),
            skipped: skipped === null ? null : JSON.stringify(kept),
          },
        },
      ];
    });
  }

  return {
    read: async (visitor) => ({
      identities: await db.selectFrom('identities').selectAll().where(isIdentity(visitor)).execute(),
      subscriptions: await db
        .selectFrom('subscriptions')
        .selectAll()
        .where(isSender(visitor))
        .orderBy('created_at')
        .execute(),
      subscribers: await findSubscribers(db, visitor).execute(),
      emails: await findEmails(db, visitor).orderBy('created_at').orderBy('recipient').execute(),
      ...(visitor.email === undefined
        ? {}
        : {
            invited: await db
              .selectFrom('invited')
              .selectAll()
              .where('email', '=', toMailbox(visitor.email))
              .execute(),
            unsubscribed: await db
              .selectFrom('unsubscribed')
              .selectAll()
              .where('email', '=', toMailbox(visitor.email))
              .execute(),
            mentions: (await findMentions(db, visitor)).map(({ id }) => ({ subscription_id: id })),
          }),
    }),

    erase: async (visitor, audit) => {
      await limits.prepare();
      return db.transaction().execute(async (transaction) => {
        const theirs = await findEmails(transaction, visitor).execute();
        const emails =
          theirs.length === 0
            ? []
            : await transaction
                .deleteFrom('emails')
                .where(
                  'id',
                  'in',
                  theirs.map(({ id }) => id),
                )
                .returning('id')
                .execute();
        // Deleted with the confirmed subscription.
        const subscribers = await findSubscribers(transaction, visitor).execute();
        const subscriptions = await transaction
          .deleteFrom('subscriptions')
          .where(isSender(visitor))
          .returning(['id', 'email'])
          .execute();
        const addresses = [...subscriptions.map(({ email }) => email), visitor.email ?? []].flat();
        await limits.forget([...new Set(addresses.map(toMailbox))], transaction);
        const identities = await transaction
          .deleteFrom('identities')
          .where(isIdentity(visitor))
          .returning('unique_id')
          .execute();
        const byAddress = visitor.email === undefined ? {} : await eraseAddress(transaction, visitor.email);
        const rows = {
          identities: identities.length,
          subscriptions: subscriptions.length,
          emails: emails.length,
          subscribers: subscribers.length,
          ...byAddress,
        };
        if (countRows(rows) > 0) await transaction.insertInto('audit').values(audit(rows)).execute();
        return rows;
      });
    },
  };

  async function eraseAddress(transaction: Kysely<FormsTables>, email: string) {
    const invited = await transaction
      .deleteFrom('invited')
      .where('email', '=', toMailbox(email))
      .returning('invitation_id')
      .execute();
    const mentions = await findMentions(transaction, { email });
    for (const { id, without } of mentions) {
      await transaction
        .updateTable('subscriptions')
        // A hash that includes the address confirms a guess of it: the key of a plain post is such a hash.
        .set((row) => ({
          ...without,
          content_hash: randomUUID(),
          natural_key: null,
          idempotency_key: row
            .case()
            .when('idempotency_key', 'like', `${FORM_POST_KEY}%`)
            .then(null)
            .else(row.ref('idempotency_key'))
            .end(),
        }))
        .where('id', '=', id)
        .execute();
    }
    const unsubscribed = await transaction
      .deleteFrom('unsubscribed')
      .where('email', '=', toMailbox(email))
      .returning('email')
      .execute();
    return { invited: invited.length, mentions: mentions.length, unsubscribed: unsubscribed.length };
  }
}
