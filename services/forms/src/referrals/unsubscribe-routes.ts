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
  const unknown = () => formsErrors.unsubscribe_invalid('There is no mail with this link.');

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
        title: 'No more mail from us?',
        body: html`<p>
            We will not write to this address again, no matter who refers you. Only if it is entered for the
            newsletter do we send a link to confirm that, at most once in ${String(OPT_OUT_PAUSE_DAYS)} days.
            Confirming it also allows mail again.
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
          We will not write to this address again, unless it is entered for the newsletter: then it gets a
          link to confirm that. You can close this page.
        </p>`,
      };
    },
  });
}
