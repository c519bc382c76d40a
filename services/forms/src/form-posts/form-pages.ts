import { thanksOf, type FormDefinition, type ReferralConfirmation } from '@site/contract';
import type { ApiError } from '@site/server/api-error';
import { html, type Html } from '../pages/html.ts';
import type { Page } from '../pages/page.ts';
import { problemList, refilledForm, type RefilledForm } from './refilled-form.ts';

/** Browsers name the page that a form comes from only if that page lets them: under `no-referrer` they say "null". */
const allowedToPost = { 'referrer-policy': 'same-origin' };

/** A form has arrived. */
export function receivedPage(
  form: FormDefinition,
  site: string | null,
  confirmation: ReferralConfirmation,
): Page {
  const { title, text } = thanksOf(form, confirmation);
  return {
    status: 200,
    title,
    body: html`<p>${text}</p>
      ${back(site, form.place, 'Back to the site')}`,
  };
}

/** The form once more, as it was filled in, with what to correct. */
export function problemsPage(refill: RefilledForm): Page {
  return {
    status: 422,
    title: 'Please correct the form',
    headers: allowedToPost,
    body: html`${problemList(refill)} ${refilledForm(refill)}
    ${back(refill.site, refill.form.place, 'Start again on the site')}`,
  };
}

/** The form could not be taken, for a reason other than its contents: they are kept, to be sent again later. */
export function tryAgainPage({ status, title, detail, headers }: ApiError, refill: RefilledForm): Page {
  return {
    status,
    title,
    headers: { ...headers, ...allowedToPost },
    body: html`<p>${detail}</p>
      <p>What you filled in is still here. Please send it again later.</p>
      ${refilledForm(refill)}`,
  };
}

/** Any other failure of a page: of a form that was posted, or of a link in a mail. */
export function errorPage(
  { status, title, detail, headers }: ApiError,
  { site, hadForm }: { site: string | null; hadForm: boolean },
): Page {
  return {
    status,
    title,
    headers,
    body: html`<p>${detail}</p>
      ${hadForm ? html`<p>Your browser’s Back button leads to what you filled in.</p>` : html``}
      ${back(site, '/home', 'Back to the site')}`,
  };
}

function back(site: string | null, path: string, text: string): Html {
  return site === null ? html`` : html`<p><a href="${site}${path}">${text}</a></p>`;
}
