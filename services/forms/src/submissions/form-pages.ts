import { formThanks, type FormDefinition, type ReferralConfirmation } from '@site/contract';
import type { ApiError } from '@site/server/api-error';
import { html, type Html } from '../kernel/html.ts';
import type { Page } from '../kernel/page.ts';
import { problemList, refilledForm, type RefilledForm } from './refilled-form.ts';

/** Browsers send the page's origin only if its policy allows it: under `no-referrer` they send "null". */
const sendsOrigin = { 'referrer-policy': 'same-origin' };

export function receivedPage(
  form: FormDefinition,
  site: string | null,
  confirmation: ReferralConfirmation,
): Page {
  const { title, text } = formThanks(form, confirmation);
  return {
    status: 200,
    title,
    body: html`<p>${text}</p>
      ${back(site, form.place, 'Back to the site')}`,
  };
}

export function problemsPage(refill: RefilledForm): Page {
  return {
    status: 422,
    title: 'Please correct the form',
    headers: sendsOrigin,
    body: html`${problemList(refill)} ${refilledForm(refill)}
    ${back(refill.site, refill.form.place, 'Start over on the site')}`,
  };
}

/** The form could not be stored for a reason other than its contents: keeps the values, to be sent again. */
export function tryAgainPage({ status, title, detail, headers }: ApiError, refill: RefilledForm): Page {
  return {
    status,
    title,
    headers: { ...headers, ...sendsOrigin },
    body: html`<p>${detail}</p>
      <p>Your answers are still here. Please send them again later.</p>
      ${refilledForm(refill)}`,
  };
}

export function errorPage(
  { status, title, detail, headers }: ApiError,
  { site, hadForm }: { site: string | null; hadForm: boolean },
): Page {
  return {
    status,
    title,
    headers,
    body: html`<p>${detail}</p>
      ${hadForm ? html`<p>Your browser’s Back button takes you back to your answers.</p>` : html``}
      ${back(site, '/home', 'Back to the site')}`,
  };
}

function back(site: string | null, path: string, text: string): Html {
  return site === null ? html`` : html`<p><a href="${site}${path}">${text}</a></p>`;
}
