import type { Kysely } from 'kysely';
import { formsErrors } from '../kernel/errors.ts';
import { html } from '../kernel/html.ts';
import { toMailbox } from '../kernel/mailbox.ts';
import type { FormsTables } from '../kernel/tables.ts';
import { endNewsletter } from '../newsletter/subscribers.repository.ts';
import { OPT_OUT_PAUSE_DAYS } from '../outbox/email-limits.ts';
import { actionButton, type AddLinkPage } from '../outbox/email-links.ts';

/** The page of the link that ends all email to a mailbox, in any spelling, and its newsletter. */
export function addUnsubscribeRoutes(
  addLinkPage: AddLinkPage,
  { db, now }: { db: Kysely<FormsTables>; now: () => number },
): void {
  const unknown = () => formsErrors.unsubscribe_invalid('No email has this link.');

  /** Of an email, or of an invitation whose referral was erased. */
  async function findRecipient(id: string): Promise<string> {
    const invited = await db
      .selectFrom('invited')
      .select('email')
      .where('invitation_id', '=', id)
      .executeTakeFirst();
    if (invited) return invited.email;
    const queued = await db.selectFrom('emails').select('recipient').where('id', '=', id).executeTakeFirst();
    if (queued) return queued.recipient;
    throw unknown();
  }

  addLinkPage({
    link: 'unsubscribe',
    unknown,
    async show(id) {
      await findRecipient(id);
      return {
        title: 'Stop all email from us?',
        body: html`<p>
            We won’t email this address again, no matter who refers you. If someone enters it for our
            newsletter, we’ll ask you to confirm, at most once every ${String(OPT_OUT_PAUSE_DAYS)} days.
            Confirming turns email back on.
          </p>
          ${actionButton('Unsubscribe')}`,
      };
    },
    async act(id) {
      const email = toMailbox(await findRecipient(id));
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('unsubscribed')
          .values({ email, created_at: new Date(now()) })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await endNewsletter(email, transaction);
      });
      return {
        title: 'You are unsubscribed',
        body: html`<p>
          We won’t email this address again, unless it’s entered for our newsletter: then we’ll ask you to
          confirm that.
        </p>`,
      };
    },
  });
}
