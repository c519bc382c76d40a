import type { FastifyInstance } from 'fastify';
import { formsErrors } from '../errors.ts';
import { html } from '../pages/html.ts';
import type { SendPage } from '../pages/page.ts';
import type { InvitationsRepository } from './invitations.repository.ts';
import type { MailLinks } from './mail-links.ts';
import { requireSignedId, type LinkRequest } from './signed-id.ts';

/** What a mail program posts has about 200. */
const MOST_BYTES = 16 * 1024;

/**
 * The page behind the link of a mail. Opening it changes nothing, because programs that look through mail open every
 * link; its one button, or the mail program's own (RFC 8058), unsubscribes. `scope` takes bodies of any type after this.
 */
export function addUnsubscribeRoutes(
  scope: FastifyInstance,
  {
    invitations,
    links,
    sendPage,
    now,
  }: { invitations: InvitationsRepository; links: MailLinks; sendPage: SendPage; now: () => number },
): void {
  // Mail programs post a form of either kind (RFC 8058, 3.1). The link says everything, so nothing in it is looked at.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, _body, done) =>
    done(null),
  );

  const unknown = () => formsErrors.unsubscribe_invalid('There is no mail with this link.');

  async function recipientOf(request: LinkRequest): Promise<string> {
    const id = await requireSignedId(request, 'unsubscribe', links, unknown);
    const recipient = await invitations.recipientOf(id);
    if (recipient !== undefined) return recipient;
    throw unknown();
  }

  scope.get('/unsubscribe/:id', async (request: LinkRequest, reply) => {
    await recipientOf(request);
    return sendPage(reply, {
      status: 200,
      title: 'No more mail from us?',
      // Without an action it posts to the very address of the page, signature and all.
      body: html`<p>
          We will not write to this address again, no matter who refers you or subscribes you to the
          newsletter.
        </p>
        <form method="post"><button>Unsubscribe</button></form>`,
    });
  });

  scope.post('/unsubscribe/:id', async (request: LinkRequest, reply) => {
    await invitations.unsubscribe(await recipientOf(request), new Date(now()));
    return sendPage(reply, {
      status: 200,
      title: 'You are unsubscribed',
      body: html`<p>We will not write to this address again. You can close this page.</p>`,
    });
  });
}
