import { CONFIRM_WITHIN_HOURS } from '@site/contract';
import { formsErrors } from '../kernel/errors.ts';
import { html, type Html } from '../kernel/html.ts';
import { actionButton, type AddLinkPage, type LinkResponse } from '../outbox/email-links.ts';
import type { ConfirmationsRepository } from './confirmations.repository.ts';
import type { Skipped } from './recipients.ts';

const problems = {
  unknown: () => formsErrors.confirmation_invalid('There is no referral with this link.'),
  used: () => formsErrors.confirmation_used('You have already confirmed this referral.'),
  expired: () => formsErrors.confirmation_over(`The link worked for ${CONFIRM_WITHIN_HOURS} hours.`),
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
          Someone entered your address in our referral form. If it was you, check the invitations and send
          them.
        </p>
        <p>They’ll go to:</p>
        <ul>
          ${state.recipients.map((recipient) => html`<li>${recipient}</li> `)}
        </ul>
        ${skippedList(state.skipped)}
        ${
          state.message === ''
            ? html`<p>You didn’t add a message.</p>`
            : html`<p>With your message:</p>
                <blockquote>${state.message}</blockquote>`
        }
        ${actionButton('Send the invitations')}
        <p>Wasn’t you? Close this page and no invitations will go out.</p>`,
    };
  }

  async function act(id: string): Promise<LinkResponse> {
    const confirmed = await confirmations.confirm(id, new Date(now()));
    if (confirmed.status !== 'confirmed') throw problems[confirmed.status]();
    // A concurrent referral of the same sender was confirmed first.
    if (confirmed.hasNoRecipients) return noRecipientsPage(confirmed.skipped);
    return {
      title: 'Your invitations are on their way',
      body: html`<p>
          Thanks for spreading the word. Each address gets one invitation, unless it was invited in the past
          year or opted out. On a busy day, some go out the next day.
        </p>
        ${skippedList(confirmed.skipped)}`,
    };
  }

  addLinkPage({ link: 'confirm', unknown: problems.unknown, show, act });
}

const noRecipientsPage = (skipped: readonly Skipped[]): LinkResponse => ({
  title: 'No one to invite',
  body: html`${skippedList(skipped)}
    <p>No invitations went out.</p>`,
});

const reasons: Record<Skipped['reason'], string> = {
  own: 'this is your own address',
  duplicate: 'listed twice (same inbox)',
  earlier: 'you invited this address in the past year',
};

/** Only reasons within the sender's own actions. Recipients skipped because of others are not listed. */
function skippedList(skipped: readonly Skipped[]): Html {
  if (skipped.length === 0) return html``;
  return html`<p>Not sent:</p>
    <ul>
      ${skipped.map(({ email, reason }) => html`<li>${email}: ${reasons[reason]}</li> `)}
    </ul>`;
}
