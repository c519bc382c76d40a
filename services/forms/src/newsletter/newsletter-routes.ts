import { NEWSLETTER_CONSENT, NEWSLETTER_WITHIN_HOURS } from '@site/contract';
import { formsErrors } from '../kernel/errors.ts';
import { html } from '../kernel/html.ts';
import { actionButton, type AddLinkPage } from '../outbox/email-links.ts';
import type { SubscribersRepository } from './subscribers.repository.ts';

const problems = {
  unknown: () => formsErrors.confirmation_invalid('There is no subscription with this link.'),
  used: () => formsErrors.confirmation_used('This address is already subscribed.'),
  expired: () => formsErrors.confirmation_over(`The link worked for ${NEWSLETTER_WITHIN_HOURS} hours.`),
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
        body: html`<p>Someone entered your address for our newsletter. If it was you, please confirm:</p>
          <blockquote>${NEWSLETTER_CONSENT}</blockquote>
          ${actionButton('Confirm')}
          <p>Wasn’t you? Close this page and you won’t be subscribed.</p>`,
      };
    },
    async act(id) {
      const result = await subscribers.confirm(id, NEWSLETTER_CONSENT, new Date(now()));
      if (result !== 'confirmed') throw problems[result]();
      return {
        title: 'You are subscribed',
        body: html`<p>
          The next issue will be in your inbox. You can unsubscribe with the link in any issue, or in the
          email you just opened.
        </p>`,
      };
    },
  });

  addLinkPage({
    link: 'newsletter/unsubscribe',
    unknown: () => formsErrors.unsubscribe_invalid('There is no letter with this link.'),
    show: () => ({
      title: 'Unsubscribe from our newsletter?',
      body: html`<p>
          We’ll remove your address, and any confirmation link we sent stops working. You can subscribe again
          at any time.
        </p>
        ${actionButton('Unsubscribe')}`,
    }),
    async act(id) {
      await subscribers.unsubscribe(id);
      return {
        title: 'You are unsubscribed',
        body: html`<p>We’ve removed your address from our newsletter.</p>`,
      };
    },
  });
}
