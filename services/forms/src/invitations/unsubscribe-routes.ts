import { formsErrors } from '../errors.ts';
import { html } from '../pages/html.ts';
import type { InvitationsRepository } from './invitations.repository.ts';
import { actButton, type AddLinkPage } from './link-pages.ts';

/** The page of the link that ends all email to an address. */
export function addUnsubscribeRoutes(
  addLinkPage: AddLinkPage,
  { invitations, now }: { invitations: InvitationsRepository; now: () => number },
): void {
  const unknown = () => formsErrors.unsubscribe_invalid('There is no mail with this link.');

  async function recipientOf(id: string): Promise<string> {
    const recipient = await invitations.recipientOf(id);
    if (recipient !== undefined) return recipient;
    throw unknown();
  }

  addLinkPage({
    link: 'unsubscribe',
    unknown,
    async ask(id) {
      await recipientOf(id);
      return {
        title: 'No more mail from us?',
        body: html`<p>
            We will not write to this address again, no matter who refers you or subscribes you to the
            newsletter.
          </p>
          ${actButton('Unsubscribe')}`,
      };
    },
    async act(id) {
      await invitations.unsubscribe(await recipientOf(id), new Date(now()));
      return {
        title: 'You are unsubscribed',
        body: html`<p>We will not write to this address again. You can close this page.</p>`,
      };
    },
  });
}
