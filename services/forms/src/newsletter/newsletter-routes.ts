import { NEWSLETTER_CONSENT, NEWSLETTER_WITHIN_HOURS } from '@site/contract';
import { formsErrors } from '../errors.ts';
import { actButton, type AddLinkPage } from '../invitations/link-pages.ts';
import { html } from '../pages/html.ts';
import type { ReadersRepository } from './readers.repository.ts';

const problems = {
  unknown: () => formsErrors.confirmation_invalid('There is no subscription with this link.'),
  used: () => formsErrors.confirmation_used('This address gets the newsletter already.'),
  over: () => formsErrors.confirmation_over(`The link was valid for ${NEWSLETTER_WITHIN_HOURS} hours.`),
};

/** The pages of the links that confirm and end the newsletter. */
export function addNewsletterRoutes(
  addLinkPage: AddLinkPage,
  { readers, now }: { readers: ReadersRepository; now: () => number },
): void {
  addLinkPage({
    link: 'newsletter/confirm',
    unknown: problems.unknown,
    async ask(id) {
      const state = await readers.look(id, new Date(now()));
      if (state !== 'open') throw problems[state]();
      return {
        title: 'Subscribe to our newsletter?',
        body: html`<p>Somebody entered your address for our newsletter. If it was you, confirm it:</p>
          <blockquote>${NEWSLETTER_CONSENT}</blockquote>
          ${actButton('Confirm')}
          <p>If it was not you, close this page, and you will get no letters.</p>`,
      };
    },
    async act(id) {
      const ended = await readers.confirm(id, NEWSLETTER_CONSENT, new Date(now()));
      if (ended !== 'confirmed') throw problems[ended]();
      return {
        title: 'You are subscribed',
        body: html`<p>
            The next letter comes to your inbox. To end it, use the link in any letter, or in the mail that
            led you here.
          </p>
          <p>You can close this page.</p>`,
      };
    },
  });

  addLinkPage({
    link: 'newsletter/unsubscribe',
    unknown: () => formsErrors.unsubscribe_invalid('There is no letter with this link.'),
    ask: () => ({
      title: 'No more letters?',
      body: html`<p>
          Your address is then removed from the newsletter, confirmed or not: a link that asks you to confirm
          it no longer works. You can subscribe again whenever you like.
        </p>
        ${actButton('Unsubscribe')}`,
    }),
    async act(id) {
      await readers.leave(id);
      return {
        title: 'You are unsubscribed',
        body: html`<p>
          Your address is not in our newsletter, and nothing waits for you to confirm it. You can close this
          page.
        </p>`,
      };
    },
  });
}
