import { CONFIRM_WITHIN_HOURS } from '@site/contract';
import { formsErrors } from '../kernel/errors.ts';
import { html, type Html } from '../kernel/html.ts';
import { actionButton, type AddLinkPage, type LinkResponse } from '../outbox/email-links.ts';
import type { ConfirmationsRepository } from './confirmations.repository.ts';
import type { Skipped } from './recipients.ts';

const problems = {
  unknown: () => formsErrors.confirmation_invalid('There is no referral with this link.'),
  used: () => formsErrors.confirmation_used('The referral of this link is confirmed already.'),
  expired: () => formsErrors.confirmation_over(`The link was valid for ${CONFIRM_WITHIN_HOURS} hours.`),
};

export function addConfirmRoutes(
  addLinkPage: AddLinkPage,
  { confirmations, now }: { confirmations: ConfirmationsRepository; now: () => number },
): void {
  async function show(id: string): Promise<LinkResponse> {
    const state = await confirmations.readLink(id, new Date(now()));
    if (state.status !== 'open') throw problems[state.status]();
    if (state.recipients.length === 0) return noRecipientsPage(state.skipped);
    return {
      title: 'Send these invitations?',
      body: html`<p>
          Somebody filled in our referral form with your address. If it was you, send the invitations.
        </p>
        <p>They go to:</p>
        <ul>
          ${state.recipients.map((recipient) => html`<li>${recipient}</li> `)}
        </ul>
        ${skippedList(state.skipped)}
        ${
          state.message === ''
            ? html`<p>They contain no message from you.</p>`
            : html`<p>With this message, marked as yours:</p>
                <blockquote>${state.message}</blockquote>`
        }
        ${actionButton('Send the invitations')}
        <p>If it was not you, close this page, and nothing is sent.</p>`,
    };
  }

  async function act(id: string): Promise<LinkResponse> {
    const confirmed = await confirmations.confirm(id, new Date(now()));
    if (confirmed.status !== 'confirmed') throw problems[confirmed.status]();
    // A concurrent referral of the same sender was confirmed first.
    if (confirmed.hasNoRecipients) return noRecipientsPage(confirmed.skipped);
    return {
      title: 'Your referral is on its way',
      body: html`<p>
          Each address gets one invitation, unless it was invited within a year or wants no mail from us. When
          many go out on one day, some wait for the next. Thank you for passing it on.
        </p>
        ${skippedList(confirmed.skipped)}
        <p>You can close this page.</p>`,
    };
  }

  addLinkPage({ link: 'confirm', unknown: problems.unknown, show, act });
}

const noRecipientsPage = (skipped: readonly Skipped[]): LinkResponse => ({
  title: 'There is nobody to invite',
  body: html`${skippedList(skipped)}
    <p>Nothing is sent. You can close this page.</p>`,
});

const reasons: Record<Skipped['reason'], string> = {
  own: 'it is your own address',
  duplicate: 'written twice, another one leads to the same mailbox',
  earlier: 'you invited it within a year',
};

/** Only reasons within the sender's own actions. Recipients skipped because of others are not listed. */
function skippedList(skipped: readonly Skipped[]): Html {
  if (skipped.length === 0) return html``;
  return html`<p>Not sent:</p>
    <ul>
      ${skipped.map(({ email, reason }) => html`<li>${email}: ${reasons[reason]}</li> `)}
    </ul>`;
}
