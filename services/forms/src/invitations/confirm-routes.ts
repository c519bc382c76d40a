import { CONFIRM_WITHIN_HOURS } from '@site/contract';
import { formsErrors } from '../errors.ts';
import { html, type Html } from '../pages/html.ts';
import type { ConfirmationsRepository } from './confirmations.repository.ts';
import { actButton, type AddLinkPage, type LinkAnswer } from './link-pages.ts';
import type { Skipped } from './skipped.ts';

const problems = {
  unknown: () => formsErrors.confirmation_invalid('There is no referral with this link.'),
  used: () => formsErrors.confirmation_used('The referral of this link is confirmed already.'),
  over: () => formsErrors.confirmation_over(`The link was valid for ${CONFIRM_WITHIN_HOURS} hours.`),
};

/** The page of a confirmation link: shows the invitations before they are sent. */
export function addConfirmRoutes(
  addLinkPage: AddLinkPage,
  { confirmations, now }: { confirmations: ConfirmationsRepository; now: () => number },
): void {
  async function ask(id: string): Promise<LinkAnswer> {
    const state = await confirmations.look(id, new Date(now()));
    if (state.status !== 'open') throw problems[state.status]();
    if (state.recipients.length === 0) return nobodyPage(state.skipped);
    return {
      title: 'Send these invitations?',
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
        ${actButton('Send the invitations')}
        <p>If it was not you, close this page, and nothing is sent.</p>`,
    };
  }

  async function act(id: string): Promise<LinkAnswer> {
    const ended = await confirmations.confirm(id, new Date(now()));
    if (ended.status !== 'confirmed') throw problems[ended.status]();
    // A concurrent referral of the same sender was confirmed first.
    if (ended.invitesNobody) return nobodyPage(ended.skipped);
    return {
      title: 'Your referral is on its way',
      body: html`<p>
          Each address gets one invitation, unless it was invited within a year or wants no mail from us. When
          many go out on one day, some wait for the next. Thank you for passing it on.
        </p>
        ${notSent(ended.skipped)}
        <p>You can close this page.</p>`,
    };
  }

  addLinkPage({ link: 'confirm', unknown: problems.unknown, ask, act });
}

const nobodyPage = (skipped: readonly Skipped[]): LinkAnswer => ({
  title: 'There is nobody to invite',
  body: html`${notSent(skipped)}
    <p>Nothing is sent. You can close this page.</p>`,
});

const reasons: Record<Skipped['reason'], string> = {
  own: 'it is your own address',
  twice: 'written twice, another one leads to the same mailbox',
  before: 'you invited it within a year',
};

/** Only reasons within the sender's own actions. Recipients skipped because of others are not listed. */
function notSent(skipped: readonly Skipped[]): Html {
  if (skipped.length === 0) return html``;
  return html`<p>Not sent:</p>
    <ul>
      ${skipped.map(({ email, reason }) => html`<li>${email}: ${reasons[reason]}</li> `)}
    </ul>`;
}
