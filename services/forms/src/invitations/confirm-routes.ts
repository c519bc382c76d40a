import { CONFIRM_WITHIN_HOURS } from '@site/contract';
import type { FastifyInstance } from 'fastify';
import { formsErrors } from '../errors.ts';
import { html, type Html } from '../pages/html.ts';
import type { Page, SendPage } from '../pages/page.ts';
import type { ConfirmationsRepository } from './confirmations.repository.ts';
import type { MailLinks } from './mail-links.ts';
import { requireSignedId, type LinkRequest } from './signed-id.ts';
import type { Skipped } from './skipped.ts';

const problems = {
  unknown: () => formsErrors.confirmation_invalid('There is no referral with this link.'),
  used: () => formsErrors.confirmation_used('The referral of this link is confirmed already.'),
  over: () => formsErrors.confirmation_over(`The link was valid for ${CONFIRM_WITHIN_HOURS} hours.`),
};

/**
 * The page behind the link of a confirmation mail: what would go out to whom, and a button. Opening it changes nothing,
 * because programs that look through mail open every link. `scope` takes bodies of any type.
 */
export function addConfirmRoutes(
  scope: FastifyInstance,
  {
    confirmations,
    links,
    sendPage,
    now,
  }: { confirmations: ConfirmationsRepository; links: MailLinks; sendPage: SendPage; now: () => number },
): void {
  const idOf = (request: LinkRequest) => requireSignedId(request, 'confirm', links, problems.unknown);

  scope.get('/confirm/:id', async (request: LinkRequest, reply) => {
    const state = await confirmations.look(await idOf(request), new Date(now()));
    if (state.status !== 'open') throw problems[state.status]();
    if (state.recipients.length === 0) return sendPage(reply, nobodyPage(state.skipped));
    return sendPage(reply, {
      status: 200,
      title: 'Send these invitations?',
      // Without an action it posts to the very address of the page, signature and all.
      body: html`<p>
          Somebody filled in our referral form with your address. If it was you, send the invitations.
        </p>
        <p>They go to:</p>
        <ul>
          ${state.recipients.map((recipient) => html`<li>${recipient}</li> `)}
        </ul>
        ${notSent(state.skipped)}
        ${
          state.message === ''
            ? html`<p>They contain no message from you.</p>`
            : html`<p>With this message, marked as yours:</p>
                <blockquote>${state.message}</blockquote>`
        }
        <form method="post"><button>Send the invitations</button></form>
        <p>If it was not you, close this page, and nothing is sent.</p>`,
    });
  });

  scope.post('/confirm/:id', async (request: LinkRequest, reply) => {
    const ended = await confirmations.confirm(await idOf(request), new Date(now()));
    if (ended.status !== 'confirmed') throw problems[ended.status]();
    // Another referral of the same sender was confirmed while the page with the button was open.
    if (ended.invitesNobody) return sendPage(reply, nobodyPage(ended.skipped));
    return sendPage(reply, {
      status: 200,
      title: 'Your referral is on its way',
      body: html`<p>
          Each address gets one invitation, unless it was invited within a year or wants no mail from us. When
          many go out on one day, some wait for the next. Thank you for passing it on.
        </p>
        ${notSent(ended.skipped)}
        <p>You can close this page.</p>`,
    });
  });
}

const nobodyPage = (skipped: readonly Skipped[]): Page => ({
  status: 200,
  title: 'There is nobody to invite',
  body: html`${notSent(skipped)}
    <p>Nothing is sent. You can close this page.</p>`,
});

const reasons: Record<Skipped['reason'], string> = {
  own: 'it is your own address',
  twice: 'written twice, another one leads to the same mailbox',
  before: 'you invited it within a year',
};

/** What the sender did, and nothing of what others did: those whom others keep from being invited are not among them. */
function notSent(skipped: readonly Skipped[]): Html {
  if (skipped.length === 0) return html``;
  return html`<p>Not sent:</p>
    <ul>
      ${skipped.map(({ email, reason }) => html`<li>${email}: ${reasons[reason]}</li> `)}
    </ul>`;
}
