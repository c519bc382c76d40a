import { NEWSLETTER_CONSENT, NEWSLETTER_WITHIN_HOURS } from '@site/contract';
import { formsErrors } from '../kernel/errors.ts';
import { html } from '../kernel/html.ts';
import { actionButton, type AddLinkPage } from '../outbox/email-links.ts';
import type { SubscribersRepository } from './subscribers.repository.ts';

const problems = {
  unknown: () => formsErrors.confirmation_invalid('There is no subscription with this link.'),
  used: () => formsErrors.confirmation_used('This address gets the newsletter already.'),
  expired: () => formsErrors.confirmation_over(`The link was valid for ${NEWSLETTER_WITHIN_HOURS} hours.`),
};

export function addNewsletterRoutes(
  addLinkPage: AddLinkPage,
  { subscribers, now }: { subscribers: SubscribersRepository; now: () => number },
): void {
  addLinkPage({
    link: 'newsletter/confirm',
    unknown: problems.unknown,
    async show(id) {
      const state = await subscribers.readLink(id, new Date(now()));
      if (state !== 'open') throw problems[state]();
      return {
        title: 'Subscribe to our newsletter?',
        body: html`<p>Somebody entered your address for our newsletter. If it was you, confirm it:</p>
          <blockquote>${NEWSLETTER_CONSENT}</blockquote>
          ${actionButton('Confirm')}
          <p>If it was not you, close this page, and you will get no letters.</p>`,
      };
    },
    async act(id) {
      const result = await subscribers.confirm(id, NEWSLETTER_CONSENT, new Date(now()));
      if (result !== 'confirmed') throw problems[result]();
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
    show: () => ({
      title: 'No more letters?',
      body: html`<p>
          Your address is then removed from the newsletter, confirmed or not: a link that asks you to confirm
          it no longer works. You can subscribe again whenever you like.
        </p>
        ${actionButton('Unsubscribe')}`,
    }),
    async act(id) {
      await subscribers.unsubscribe(id);
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
