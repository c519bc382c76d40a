import { NEWSLETTER_CONSENT, NEWSLETTER_WITHIN_HOURS } from '@site/contract';
import type { FastifyInstance } from 'fastify';
import { formsErrors } from '../errors.ts';
import type { MailLinks } from '../invitations/mail-links.ts';
import { requireSignedId, type LinkRequest } from '../invitations/signed-id.ts';
import { html } from '../pages/html.ts';
import type { SendPage } from '../pages/page.ts';
import type { ReadersRepository } from './readers.repository.ts';

const problems = {
  unknown: () => formsErrors.confirmation_invalid('There is no subscription with this link.'),
  used: () => formsErrors.confirmation_used('This address gets the newsletter already.'),
  over: () => formsErrors.confirmation_over(`The link was valid for ${NEWSLETTER_WITHIN_HOURS} hours.`),
};

/**
 * The pages behind the links that begin and end the newsletter. Opening one changes nothing, because programs that look through mail
 * open every link; its one button does, and for ending it the mail program's own (RFC 8058). `scope` takes bodies of any type.
 */
export function addNewsletterRoutes(
  scope: FastifyInstance,
  {
    readers,
    links,
    sendPage,
    now,
  }: { readers: ReadersRepository; links: MailLinks; sendPage: SendPage; now: () => number },
): void {
  const mailOf = (request: LinkRequest) =>
    requireSignedId(request, 'newsletter/confirm', links, problems.unknown);
  const readerOf = (request: LinkRequest) =>
    requireSignedId(request, 'newsletter/unsubscribe', links, () =>
      formsErrors.unsubscribe_invalid('There is no letter with this link.'),
    );

  scope.get('/newsletter/confirm/:id', async (request: LinkRequest, reply) => {
    const state = await readers.look(await mailOf(request), new Date(now()));
    if (state !== 'open') throw problems[state]();
    return sendPage(reply, {
      status: 200,
      title: 'Subscribe to our newsletter?',
      // Without an action it posts to the very address of the page, signature and all.
      body: html`<p>Somebody entered your address for our newsletter. If it was you, confirm it:</p>
        <blockquote>${NEWSLETTER_CONSENT}</blockquote>
        <form method="post"><button>Confirm</button></form>
        <p>If it was not you, close this page, and you will get no letters.</p>`,
    });
  });

  scope.post('/newsletter/confirm/:id', async (request: LinkRequest, reply) => {
    const ended = await readers.confirm(await mailOf(request), NEWSLETTER_CONSENT, new Date(now()));
    if (ended !== 'confirmed') throw problems[ended]();
    return sendPage(reply, {
      status: 200,
      title: 'You are subscribed',
      body: html`<p>
          The next letter comes to your inbox. To end it, use the link in any letter, or in the mail that led
          you here.
        </p>
        <p>You can close this page.</p>`,
    });
  });

  scope.get('/newsletter/unsubscribe/:id', async (request: LinkRequest, reply) => {
    await readerOf(request);
    return sendPage(reply, {
      status: 200,
      title: 'No more letters?',
      body: html`<p>
          Your address is then removed from the newsletter, confirmed or not: a link that asks you to confirm
          it no longer works. You can subscribe again whenever you like.
        </p>
        <form method="post"><button>Unsubscribe</button></form>`,
    });
  });

  scope.post('/newsletter/unsubscribe/:id', async (request: LinkRequest, reply) => {
    await readers.leave(await readerOf(request));
    return sendPage(reply, {
      status: 200,
      title: 'You are unsubscribed',
      body: html`<p>
        Your address is not in our newsletter, and nothing waits for you to confirm it. You can close this
        page.
      </p>`,
    });
  });
}
