import * as v from 'valibot';
import { UuidSchema } from '@site/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formsErrors } from '../errors.ts';
import { html } from '../pages/html.ts';
import { sendPage } from '../pages/page.ts';
import type { InvitationRow, InvitationsRepository } from './invitations.repository.ts';
import type { UnsubscribeLinks } from './unsubscribe-link.ts';

type UnsubscribeRequest = FastifyRequest<{ Params: { id: string } }>;

/**
 * The page behind the link of a mail. Opening it changes nothing, because programs that look through mail open every
 * link; its one button, or the mail program's own (RFC 8058), unsubscribes.
 */
export function addUnsubscribeRoutes(
  scope: FastifyInstance,
  {
    invitations,
    links,
    now,
  }: { invitations: InvitationsRepository; links: UnsubscribeLinks; now: () => number },
): void {
  async function invitationOf({ params, query }: UnsubscribeRequest): Promise<InvitationRow> {
    const { signature } = query as Record<string, unknown>;
    const id = v.safeParse(UuidSchema, params.id);
    const signed =
      id.success && typeof signature === 'string' && (await links.isSigned(id.output, signature));
    const invitation = signed ? await invitations.find(id.output) : undefined;
    if (invitation) return invitation;
    throw formsErrors.unsubscribe_invalid('There is no mail with this link.');
  }

  scope.get('/unsubscribe/:id', async (request: UnsubscribeRequest, reply) => {
    await invitationOf(request);
    return sendPage(reply, {
      status: 200,
      title: 'No more mail from us?',
      // Without an action it posts to the very address of the page, signature and all.
      body: html`<p>We then never write to this address again, whoever refers you.</p>
        <form method="post"><button>Unsubscribe</button></form>`,
    });
  });

  scope.post('/unsubscribe/:id', async (request: UnsubscribeRequest, reply) => {
    const { recipient } = await invitationOf(request);
    await invitations.unsubscribe(recipient, new Date(now()));
    return sendPage(reply, {
      status: 200,
      title: 'You are unsubscribed',
      body: html`<p>We will not write to this address again. You can close this page.</p>`,
    });
  });
}
